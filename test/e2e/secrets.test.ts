import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chain, manualTrigger, N8n } from './driver';
import type { CredentialReference, NodeDefinition, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ACTION_NODE, byId, fromList, offered } from './support/actions';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from './support/deployment';
import { eventOf } from './support/emails';
import { startOtherServer } from './support/otherServer';
import { post, sendAll } from './support/sender';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
	untilRegistered,
	webhookPath,
} from './support/triggers';

const START = 'Start';

/** Kept by n8n for the whole test: everything that it has to say. */
const TALKATIVE = { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' };

const AT_A_TIME = 10;

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let triggered: StoredWorkflow;
let actions: StoredWorkflow;
/** What must be nowhere in clear: the key, and what starts the workflow. */
let secrets: string[];
/** All that somebody gets who is given the workflows, with their data. */
let shared: string;

beforeAll(async () => {
	n8n = await N8n.start({ environment: TALKATIVE });
	// A dialect in which every operation succeeds.
	({ sandbox, credential } = await deploy(n8n, 'fork'));
	triggered = await createTriggerWorkflow(n8n, credential);
	const production = await receiveOneEmail();
	const test = await listenOnce();
	secrets = [sandbox.accounts.owner.apiKey, ...[production, test].map(secretOf)];

	actions = await n8n.workflows.create(chain('Everything', await everyAction(production)));
	await pinWhatItGave(actions);
	await failWhileTheServiceQuotes(production);
	shared = [await exportedByRest(), await exportedByCommandLine()].join('\n');
}, 400_000);

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** What the query of a subscription's address carries. */
function secretOf(url: string): string {
	const [secret] = new URL(url).searchParams.values();
	if (secret === undefined || secret.length < 32) throw new Error('The address has no secret.');
	return secret;
}

/** Activates the trigger and starts its workflow once; gives the subscription's address. */
async function receiveOneEmail(): Promise<string> {
	await n8n.workflows.activate(triggered.id);
	await untilRegistered(n8n, triggered);
	await sendMail(sandbox.smtpPort, { from: 'zoe@example.org', to: ADDRESS, subject: 'First' });
	await n8n.executions.atLeast(triggered.id, 1);
	return subscriptionOf(sandbox, triggered).url;
}

/** Listens for a test event, and cancels; gives the address that was listened at. */
async function listenOnce(): Promise<string> {
	const cancel = await n8n.workflows.listen(triggered.id, TRIGGER);
	const [subscription] = testSubscriptions(sandbox);
	if (!subscription) throw new Error('There is no test subscription.');
	await cancel();
	return subscription.url;
}

/** Every operation, on what the drop-downs offer: the trigger's own subscription among it. */
async function everyAction(url: string): Promise<NodeDefinition[]> {
	const [identity] = await offered(n8n, credential, 'searchIdentities');
	const webhooks = await offered(n8n, credential, 'searchWebhooks');
	const own = webhooks.find(({ value }) => value === subscriptionOf(sandbox, triggered).id);
	if (!identity || !own) throw new Error('The drop-downs lack an entry.');
	const messageId = sandbox.dumpState().messages[0]?.fields.id;
	const webhookId = fromList(own);
	const identityId = fromList(identity);
	const spare = sandbox.addWebhook({ url: `${url}&spare`, enabled: false });
	const operations: Record<string, Record<string, Record<string, unknown>>> = {
		user: { get: {} },
		identity: { get: { identityId }, getAll: { returnAll: true }, audit: {} },
		message: { get: { messageId } },
		webhook: {
			get: { webhookId },
			getAll: { returnAll: true },
			pause: { webhookId: byId(spare.id) },
			resume: { webhookId: byId(spare.id) },
			update: { webhookId, updateFields: { description: 'Seen by all' } },
			create: { url: 'https://hooks.example.com/inbound' },
			upsert: { url: 'https://hooks.example.com/inbound' },
			delete: { webhookId: byId(spare.id) },
		},
	};
	const nodes = Object.entries(operations).flatMap(([resource, all]) =>
		Object.entries(all).map(([operation, parameters]) => ({
			name: `${resource} ${operation}`,
			type: ACTION_NODE,
			parameters: { resource, operation, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: credential },
			// One item in, whatever came before.
			executeOnce: true,
			onError: 'continueRegularOutput',
		})),
	);
	return [manualTrigger(START), ...nodes];
}

/** Runs a workflow and pins what its nodes gave, as the editor does. */
async function pinWhatItGave({ id, nodes }: StoredWorkflow): Promise<void> {
	const execution = await n8n.executions.ended(await n8n.workflows.run(id, START));
	const given = nodes.map(
		({ name }) => [name, execution.nodes[name]?.at(-1)?.outputs[0] ?? []] as const,
	);
	expect(
		given.filter(([, items]) => items.length === 0 || items.some(({ json }) => json.error)),
	).toEqual([]);
	const pinData = Object.fromEntries(
		given.map(([name, items]) => [name, items.map(({ json }) => ({ json }))]),
	);
	await n8n.workflows.update(id, { pinData });
}

/** A service that refuses to pause and to change a subscription, and quotes its address. */
async function failWhileTheServiceQuotes(url: string): Promise<void> {
	const { apiKey } = sandbox.accounts.owner;
	const fault = sandbox.addFault({
		method: 'PATCH',
		path: '/webhooks/*',
		answer: { type: 'status', status: 422, message: `No: ${url}, Bearer ${apiKey}` },
	});
	const { id, nodes } = actions;
	const stored = nodes.find(({ name }) => name === 'webhook update')!;
	const failing = { ...stored, onError: 'stopWorkflow' };
	const workflow = await n8n.workflows.create(chain('Refused', [manualTrigger(START), failing]));
	const { status } = await n8n.executions.ended(await n8n.workflows.run(workflow.id, START));
	expect({ id, status }).toEqual({ id, status: 'error' });
	await n8n.workflows.deactivate(triggered.id);
	sandbox.removeFault(fault);
	await n8n.workflows.activate(triggered.id);
	await untilRegistered(n8n, triggered);
}

async function exportedByRest(): Promise<string> {
	const executions = await Promise.all(
		[triggered, actions].map(async ({ id }) => await n8n.executions.list(id)),
	);
	const all = await Promise.all([
		...[triggered, actions].map(({ id }) => n8n.session.call('GET', `/rest/workflows/${id}`)),
		...executions.flat().map(({ id }) => n8n.session.call('GET', `/rest/executions/${id}`)),
	]);
	return JSON.stringify(all);
}

async function exportedByCommandLine(): Promise<string> {
	const files = ['workflow', 'credentials'].map((what) => join(n8n.userFolder, `${what}.json`));
	await n8n.command(['export:workflow', '--all', `--output=${files[0]}`]);
	await n8n.command(['export:credentials', '--all', `--output=${files[1]}`]);
	return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

it('shares the workflows with their static and pinned data', () => {
	expect(shared).toContain('Seen by all');
	expect(shared).toContain('"staticData":{"node:');
	expect(shared).toContain(triggered.nodes[0]!.webhookId);
});

it('starts nothing by a delivery to any address that was shared, with any string that was', async () => {
	const addresses = (shared.match(/https?:\/\/[^\s"'\\<>]+/g) ?? []).filter((url) =>
		url.startsWith(n8n.url),
	);
	const [parameter] = new URL(subscriptionOf(sandbox, triggered).url).searchParams.keys();
	const strings = shared.match(/[\w.~*+/=-]{16,}/g) ?? [];
	const address = `${n8n.url}${webhookPath(triggered)}`;
	const urls = new Set([
		...addresses,
		...strings.map((text) => `${address}?${parameter}=${encodeURIComponent(text)}`),
	]);
	// The secret of another workflow is none of this one.
	const other = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(other.id);
	urls.add(`${address}?${parameter}=${secretOf(subscriptionOf(sandbox, other).url)}`);
	const before = await n8n.executions.list(triggered.id);
	const answers = await sendAll([...urls], AT_A_TIME, (url) => post(url, eventOf('shared')));
	expect(answers.filter(({ status }) => status !== 401 && status !== 404)).toEqual([]);
	expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(20);
	expect(await n8n.executions.list(triggered.id)).toEqual(before);
	// It would have been started by the real one.
	expect(await post(subscriptionOf(sandbox, triggered).url, eventOf('real'))).toBe(200);
	await n8n.executions.atLeast(triggered.id, before.length + 1);
});

describe.each([4.1, 4.2, 4.3])('the HTTP Request node %s with this credential', (typeVersion) => {
	it('carries the key to the service, and not along a redirect to another origin', async () => {
		const other = await startOtherServer('application/json', '{}');
		const fault = sandbox.addFault({
			path: '/me',
			answer: { type: 'redirect', location: `${other.url}/elsewhere` },
		});
		const node = {
			name: 'Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion,
			parameters: {
				url: `${sandbox.baseUrl}/me`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
			},
			credentials: { [CREDENTIAL_TYPE]: credential },
		};
		const { id } = await n8n.workflows.create(chain('Request', [manualTrigger(START), node]));
		sandbox.clearRecordings();
		await n8n.executions.ended(await n8n.workflows.run(id, START));
		sandbox.removeFault(fault);
		await other.stop();
		const { apiKey } = sandbox.accounts.owner;
		expect(JSON.stringify(sandbox.requests(({ path }) => path === '/me'))).toContain(apiKey);
		expect(other.requests).toHaveLength(1);
		expect(JSON.stringify(other.requests)).not.toContain(apiKey);
	});
});

it.each([
	['through a proxy of the node', (url: string) => ({ options: { proxy: url } })],
	['with certificates ignored', () => ({ options: { allowUnauthorizedCerts: true } })],
	['to an address without slashes', (url: string) => ({ url: url.replace('//', '') })],
])('the HTTP Request node cannot send the key %s', async (_, change) => {
	const other = await startOtherServer('application/json', '{}');
	const node = {
		name: 'Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${sandbox.baseUrl}/me`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			...change(other.url),
		},
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const { id } = await n8n.workflows.create(chain('Request', [manualTrigger(START), node]));
	sandbox.clearRecordings();
	const { status } = await n8n.executions.ended(await n8n.workflows.run(id, START));
	await other.stop();
	expect(status).toBe('error');
	expect(JSON.stringify(other.requests)).not.toContain(sandbox.accounts.owner.apiKey);
	expect(sandbox.requests()).toEqual([]);
});

it('has neither key nor secret in any file or line of its log', async () => {
	await n8n.pause();
	expect(secrets.filter((secret) => shared.includes(secret))).toEqual([]);
	expect(secrets.filter((secret) => n8n.log.text().includes(secret))).toEqual([]);
	const entries = await readdir(n8n.userFolder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
	const names = files.map((file) => file.slice(n8n.userFolder.length));
	expect(names).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/database\.sqlite$/),
			expect.stringMatching(/\.log$/),
		]),
	);
	const giving: string[] = [];
	for (const [index, file] of files.entries()) {
		const content = await readFile(file);
		for (const [number, secret] of secrets.entries()) {
			if (content.includes(secret)) giving.push(`${names[index]} holds secret ${number}`);
		}
	}
	expect(giving).toEqual([]);
});
