import { randomUUID } from 'node:crypto';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy } from './support/deployment';
import { createTriggerWorkflow, startedWith, untilRegistered } from './support/triggers';

/** An address of a colleague: the same workspace, another owner, not shared with the key's user. */
const COLLEAGUE = 'colleague@mailbox.test';
const STRANGER = 'person@other.test';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	// As n8n logs unless it is told otherwise.
	n8n = await N8n.start({ environment: { N8N_LOG_LEVEL: 'info' } });
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	const [owner, other] = sandbox.dumpState().accounts;
	const { workspaceId } = owner!;
	sandbox.addIdentity({ value: COLLEAGUE, ownerId: other!.userId, workspaceId });
	workflow = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
});

afterAll(async () => {
	await sandbox?.stop();
	await n8n?.stop();
});

/** @returns what was answered to whoever delivered it */
async function mail(to: string, subject: string): Promise<string[]> {
	const raw = `Message-ID: <${randomUUID()}@example.org>\r\nFrom: zoe@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\n\r\nHello`;
	const { deliveries } = await sandbox.receiveMail(raw, { to });
	return (await deliveries).map(({ status, responseBody }) => `${status} ${responseBody}`);
}

it("starts for the own account's mail alone where the service delivers everybody's, and the log counts the rest", async () => {
	const foreign = [...(await mail(STRANGER, 'Xylophone')), ...(await mail(COLLEAGUE, 'Theremin'))];
	await mail(ADDRESS, 'Ours');

	const executions = await n8n.executions.atLeast(workflow.id, 1);
	await sandbox.deliveriesSettled();
	expect(executions.map((execution) => startedWith(execution).json.subject)).toEqual(['Ours']);
	expect(foreign).toEqual([
		expect.stringMatching(/^200 .*"foreign"/),
		expect.stringMatching(/^200 .*"foreign"/),
	]);
	const line = / of workflow "On email": 1 delivery was ignored: foreign/;
	await until(() => line.test(n8n.log.text()), { describe: 'the log tells' });
	expect(n8n.log.text()).not.toMatch(/Xylophone|Theremin|person@|colleague@/);
});
