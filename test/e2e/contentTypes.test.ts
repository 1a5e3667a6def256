import { randomUUID } from 'node:crypto';
import { N8n } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy, DIALECTS } from './support/deployment';
import { createTriggerWorkflow, startedWith, subscriptionOf } from './support/triggers';

const CONTENT_TYPES: [string, Record<string, string>][] = [
	['application/json', { 'content-type': 'application/json' }],
	['text/plain', { 'content-type': 'text/plain;charset=UTF-8' }],
	['no content type', {}],
];

const MALFORMED: [string, string][] = [
	['broken JSON', '{"event":"message.received","data":{'],
	['an empty body', ''],
	['an array', '[{"event":"message.received"}]'],
	['an object of another shape', '{"hello":"world"}'],
];

let n8n: N8n;

beforeAll(async () => {
	n8n = await N8n.start();
});

afterAll(async () => {
	await n8n?.stop();
});

describe.each(DIALECTS)('deliveries of the %s dialect', (dialect) => {
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let workflow: StoredWorkflow;
	let url: string;

	beforeAll(async () => {
		({ sandbox, credential } = await deploy(n8n, dialect));
		workflow = await createTriggerWorkflow(n8n, credential);
		await n8n.workflows.activate(workflow.id);
		({ url } = subscriptionOf(sandbox, workflow));
	});

	afterAll(async () => {
		await n8n.workflows.delete(workflow.id);
		await sandbox?.stop();
	});

	/** Bytes, because `fetch` gives text a content type of its own. */
	const post = async (body: string, headers: Record<string, string>) =>
		(await fetch(url, { method: 'POST', body: Buffer.from(body), headers })).status;

	const countExecutions = async () => (await n8n.executions.list(workflow.id)).length;

	/** What the service would deliver for an email that it received. */
	const event = async (subject: string): Promise<string> => {
		const raw = `Message-ID: <${randomUUID()}@example.org>\r\nFrom: a@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\n\r\nHello`;
		const { messages } = await sandbox.receiveMail(raw, { to: ADDRESS, deliver: false });
		const { fields, rawEmail } = messages[0] ?? {};
		return JSON.stringify({ event: 'message.received', data: { message: fields, rawEmail } });
	};

	it.each(CONTENT_TYPES)('with %s start the workflow', async (name, headers) => {
		const before = await countExecutions();
		expect(await post(await event(`As ${name}`), headers)).toBe(200);
		const executions = await n8n.executions.atLeast(workflow.id, before + 1);
		expect(executions).toHaveLength(before + 1);
		expect(startedWith(executions.at(-1)!).json.subject).toBe(`As ${name}`);
	});

	describe.each(MALFORMED)('with %s', (_, body) => {
		it.each(CONTENT_TYPES)('as %s are refused and start nothing', async (_type, headers) => {
			const before = await countExecutions();
			const status = await post(body, headers);
			expect(status).toBeGreaterThanOrEqual(400);
			expect(status).toBeLessThan(500);
			expect(await countExecutions()).toBe(before);
		});
	});
});
