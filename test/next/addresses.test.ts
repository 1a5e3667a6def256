import { N8n, PROTECTED, WITH_THIS_MACHINE_ALLOWED } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { NODE_NAME, offered, runAction } from '../e2e/support/actions';
import { CREDENTIAL_TYPE, credentialData } from '../e2e/support/deployment';
import { onStage, type Stage } from '../e2e/support/stage';

/** The settings that allow n8n to send requests to a service in its own network. */
const WHAT_TO_SET = /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_ALLOWED_IP_RANGES/;

const PUBLIC = 'https://n8n.example.com';
const PRIVATE = 'http://192.168.7.7';

const stage = onStage({
	dialect: 'contract',
	start: async () => await N8n.start({ environment: PROTECTED }),
});

const testing = async ({ n8n, sandbox }: Stage) => {
	const { status, message } = await n8n.credentials.test(CREDENTIAL_TYPE, credentialData(sandbox));
	return `${status} ${message}`;
};

const executing = async ({ n8n, credential }: Stage) => {
	const parameters = { resource: 'identity', operation: 'getAll' };
	const execution = await runAction(n8n, credential, parameters);
	const error = execution.nodes[NODE_NAME]?.[0]?.error ?? execution.error;
	return `${error?.message} ${error?.description}`;
};

const messageOf = async (attempt: Promise<unknown>) =>
	await attempt.then(
		() => 'no error',
		(error: Error) => error.message,
	);

it.each<[string, (stage: Stage) => Promise<string>]>([
	['the credential test', testing],
	[
		'a drop-down',
		async ({ n8n, credential }) => await messageOf(offered(n8n, credential, 'searchIdentities')),
	],
	['an executed step', executing],
	[
		'Use Sample Email, where n8n calls itself',
		async () => {
			return await messageOf(stage.listen(await stage.create({ useSampleEmail: true })));
		},
	],
])(
	'%s names the settings to change if n8n may not send requests to the network of the service',
	async (_, attempt) => {
		expect(await attempt(stage)).toMatch(WHAT_TO_SET);
	},
);

it('publishing and listening name the settings to change, and the log names no webhook that was never created', async () => {
	const workflow = await stage.create();
	const mark = stage.n8n.log.mark();
	expect(await messageOf(stage.n8n.workflows.activate(workflow.id))).toMatch(WHAT_TO_SET);
	expect(await messageOf(stage.listen(workflow))).toMatch(WHAT_TO_SET);
	await stage.n8n.workflows.deactivate(workflow.id);
	expect(stage.n8n.log.text(mark)).not.toContain('could not be switched off');
	expect(stage.sandbox.requests()).toEqual([]);
});

it('publishing succeeds for a service in a private network if n8n may send requests to it', async () => {
	await stage.n8n.restart(WITH_THIS_MACHINE_ALLOWED);
	const workflow = await stage.create();
	await stage.n8n.workflows.activate(workflow.id);
	expect(stage.subscription(workflow)).toMatchObject({ enabled: true });
});

describe('an editor with a private address', () => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		await stage.n8n.restart({ N8N_EDITOR_BASE_URL: PRIVATE, WEBHOOK_URL: PUBLIC });
	});

	beforeEach(async () => {
		const strict = { ...credentialData(stage.sandbox), allowPrivateWebhookUrls: false };
		workflow = await stage.create({}, await stage.n8n.credentials.create(CREDENTIAL_TYPE, strict));
	});

	it('does not change the address of a published workflow', async () => {
		await stage.n8n.workflows.activate(workflow.id);
		expect(new URL(stage.subscription(workflow).url).origin).toBe(PUBLIC);
	});

	it('is named as the reason why test events do not arrive, even if WEBHOOK_URL is set', async () => {
		expect(await messageOf(stage.listen(workflow))).toMatch(
			/Use Sample Email.*N8N_WEBHOOK_URL.*http:\/\/192\.168\.7\.7/,
		);
	});

	it('is not used for test events if N8N_WEBHOOK_URL is set', async () => {
		await stage.n8n.restart({ N8N_WEBHOOK_URL: PUBLIC });
		const cancel = await stage.listen(workflow);
		expect(stage.tests().map(({ url }) => new URL(url).origin)).toEqual([PUBLIC]);
		await cancel();
	});
});
