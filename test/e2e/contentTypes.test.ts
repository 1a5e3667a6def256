import { N8n } from './driver';
import type { StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { deploy } from './support/deployment';
import { eventOf } from './support/emails';
import { createTriggerWorkflow, startedWith, subscriptionOf } from './support/triggers';

/** n8n hands a body to the node in another way for each of these. */
const CONTENT_TYPES: [string, Record<string, string>][] = [
	['application/json', { 'content-type': 'application/json' }],
	['text/plain', { 'content-type': 'text/plain;charset=UTF-8' }],
	['no content type', {}],
];

const MALFORMED = ['{"event":"message.received","data":{', '', '[]', '{"hello":"world"}'];

let n8n: N8n;
let sandbox: Sandbox;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.shared();
	const deployment = await deploy(n8n, 'observed');
	sandbox = deployment.sandbox;
	workflow = await createTriggerWorkflow(n8n, deployment.credential);
	await n8n.workflows.activate(workflow.id);
});

afterAll(async () => {
	await n8n.workflows.delete(workflow.id);
	await sandbox?.stop();
});

/** Bytes, because `fetch` gives text a content type of its own. */
const post = async (body: string, headers: Record<string, string>) => {
	const { url } = subscriptionOf(sandbox, workflow);
	return (await fetch(url, { method: 'POST', body: Buffer.from(body), headers })).status;
};

const countExecutions = async () => (await n8n.executions.list(workflow.id)).length;

describe.each(CONTENT_TYPES)('a delivery with %s', (name, headers) => {
	it('starts the workflow', async () => {
		const before = await countExecutions();
		expect(await post(eventOf(name), headers)).toBe(200);
		const executions = await n8n.executions.atLeast(workflow.id, before + 1);
		expect(startedWith(executions.at(-1)!).json.subject).toBe(`Message ${name}`);
	});

	it.each(MALFORMED)('is refused with the body %j, without an execution', async (body) => {
		const before = await countExecutions();
		const status = await post(body, headers);
		expect(Math.floor(status / 100)).toBe(4);
		expect(await countExecutions()).toBe(before);
	});
});
