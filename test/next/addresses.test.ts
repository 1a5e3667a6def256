import type { Sandbox } from '../../sandbox';
import { N8n } from '../e2e/driver';
import type { CredentialReference, StoredWorkflow } from '../e2e/driver';
import { NODE_NAME, offered, runAction } from '../e2e/support/actions';
import { CREDENTIAL_TYPE, credentialData, deploy } from '../e2e/support/deployment';
import {
	createTriggerWorkflow,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
} from '../e2e/support/triggers';
import { PROTECTED, WITH_THIS_MACHINE_ALLOWED } from '../e2e/driver/announcedDefaults';

/** What an operator sets when n8n refuses to ask a service in the own network. */
const WHAT_TO_SET = /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_ALLOWED_IP_RANGES/;

const PUBLIC = 'https://n8n.example.com';
const PRIVATE = 'http://192.168.7.7';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

describe('a service in a network that n8n is not allowed to ask', () => {
	beforeAll(async () => {
		n8n = await N8n.start({ environment: PROTECTED });
		({ sandbox, credential } = await deploy(n8n, 'contract'));
		workflow = await createTriggerWorkflow(n8n, credential);
	});

	it('is named with what to set by the credential test', async () => {
		const { status, message } = await n8n.credentials.test(
			CREDENTIAL_TYPE,
			credentialData(sandbox),
		);
		expect(status).toBe('Error');
		expect(message).toMatch(WHAT_TO_SET);
	});

	it('is named with what to set by a drop-down', async () => {
		await expect(offered(n8n, credential, 'searchIdentities')).rejects.toThrow(WHAT_TO_SET);
	});

	it('is named with what to set by a step that is executed', async () => {
		const execution = await runAction(n8n, credential, {
			resource: 'identity',
			operation: 'getAll',
		});
		const error = execution.nodes[NODE_NAME]?.[0]?.error ?? execution.error;
		expect(`${error?.message} ${error?.description}`).toMatch(WHAT_TO_SET);
	});

	it('is named with what to set by publishing and by listening, without a word of what was never made', async () => {
		await expect(n8n.workflows.activate(workflow.id)).rejects.toThrow(WHAT_TO_SET);
		await expect(n8n.workflows.listen(workflow.id, TRIGGER)).rejects.toThrow(WHAT_TO_SET);
		await n8n.workflows.deactivate(workflow.id);
		expect(n8n.log.text()).not.toContain('could not be switched off');
		expect(sandbox.requests()).toEqual([]);
	});

	it('is named with what to set by Use Sample Email, where n8n asks itself', async () => {
		const options = { checkEvery: 0, useSampleEmail: true };
		const { id } = await createTriggerWorkflow(n8n, credential, { options });
		await expect(n8n.workflows.listen(id, TRIGGER)).rejects.toThrow(WHAT_TO_SET);
	});

	it('is reached once that is set', async () => {
		await n8n.restart(WITH_THIS_MACHINE_ALLOWED);
		await n8n.session.logIn();
		await n8n.workflows.activate(workflow.id);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true });
		await n8n.workflows.deactivate(workflow.id);
	});
});

describe('an editor with a private address', () => {
	beforeAll(async () => {
		await n8n.restart({ N8N_EDITOR_BASE_URL: PRIVATE, WEBHOOK_URL: PUBLIC });
		await n8n.session.logIn();
		const strict = { ...credentialData(sandbox), allowPrivateWebhookUrls: false };
		credential = await n8n.credentials.create(CREDENTIAL_TYPE, strict, 'Strict');
		workflow = await createTriggerWorkflow(n8n, credential);
	});

	it('changes nothing for what is published', async () => {
		await n8n.workflows.activate(workflow.id);
		expect(new URL(subscriptionOf(sandbox, workflow).url).origin).toBe(PUBLIC);
		await n8n.workflows.deactivate(workflow.id);
	});

	it('is said to be why test events do not arrive, though WEBHOOK_URL is set', async () => {
		await expect(n8n.workflows.listen(workflow.id, TRIGGER)).rejects.toThrow(
			/http:\/\/192\.168\.7\.7 must.*Set .*N8N_WEBHOOK_URL.*only WEBHOOK_URL is set.*N8N_EDITOR_BASE_URL/,
		);
	});

	it('does not count for test events once N8N_WEBHOOK_URL is set', async () => {
		await n8n.restart({ N8N_WEBHOOK_URL: PUBLIC });
		await n8n.session.logIn();
		const cancel = await n8n.workflows.listen(workflow.id, TRIGGER);
		expect(testSubscriptions(sandbox).map(({ url }) => new URL(url).origin)).toEqual([PUBLIC]);
		await cancel();
	});
});
