import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { chain, itemsOf, manualTrigger, N8n } from '../support/n8n';
import type { NodeDefinition, StoredWorkflow } from '../support/n8n';
import { ACTION_NODE, offered } from './support/actions';
import { CREDENTIAL_TYPE } from './support/deployment';
import { eventOf, post } from './support/deliveries';
import { startOtherServer } from './support/otherServer';
import { onStage, webhookPath } from './support/stage';

const START = 'Start';

/** n8n writes all log lines, also to a file. */
const LOG_EVERYTHING = { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' };

const AT_A_TIME = 10;

// A dialect in which every operation succeeds.
const stage = onStage({
	dialect: 'fork',
	isStory: true,
	start: async () => await N8n.start({ environment: LOG_EVERYTHING }),
});

let triggered: StoredWorkflow;
let actions: StoredWorkflow;
/** The API key, and the secrets that start the workflow. */
let secrets: string[];
/** The exports of all workflows, executions and credentials. */
let shared: string;

beforeAll(async () => {
	const { n8n, sandbox } = stage;
	triggered = await stage.publish();
	const { url: production } = stage.subscription(triggered);
	await stage.mail('First');
	await stage.started(triggered, 1);
	const cancel = await stage.listen(triggered);
	const [test] = stage.tests();
	await cancel();
	secrets = [sandbox.accounts.owner.apiKey, secretOf(production), secretOf(test!.url)];

	actions = await n8n.workflows.create(chain('Everything', await everyAction(production)));
	await pinOutputs();
	await failWithQuotes(production);
	shared = [await exportedByRest(), await exportedByCommandLine()].join('\n');
});

/** The secret in the query of a subscription's URL. */
function secretOf(url: string): string {
	const secret = new URL(url).searchParams.get('token');
	if (secret === null || secret.length < 32) throw new Error('The address has no secret.');
	return secret;
}

/** A resource locator set to "By ID". */
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A resource locator set to an entry of its list, as the editor stores it. */
async function fromList(method: 'searchIdentities' | 'searchWebhooks', id?: string) {
	const all = await offered(stage.n8n, stage.credential, method);
	const entry = all.find(({ value }) => id === undefined || value === id);
	if (!entry) throw new Error(`${method} returns no such entry.`);
	return { __rl: true, mode: 'list', value: entry.value, cachedResultName: entry.name };
}

/** Every operation, with the entries of the drop-downs, among them the trigger's own subscription. */
async function everyAction(url: string): Promise<NodeDefinition[]> {
	const { sandbox, credential } = stage;
	const webhookId = await fromList('searchWebhooks', stage.subscription(triggered).id);
	const spare = sandbox.addWebhook({ url: `${url}&spare`, enabled: false });
	const spareId = byId(spare.id);
	const hook = { url: 'https://hooks.example.com/inbound' };
	const operations: Record<string, object> = {
		'user get': {},
		'identity get': { identityId: await fromList('searchIdentities') },
		'identity getAll': { returnAll: true },
		'identity audit': {},
		'message get': { messageId: sandbox.dumpState().messages[0]?.fields.id },
		'webhook get': { webhookId },
		'webhook getAll': { returnAll: true },
		'webhook pause': { webhookId: spareId },
		'webhook resume': { webhookId: spareId },
		'webhook update': { webhookId, updateFields: { description: 'Seen by all' } },
		'webhook create': hook,
		'webhook upsert': hook,
		'webhook delete': { webhookId: spareId },
	};
	const nodes = Object.entries(operations).map(([name, parameters]) => {
		const [resource, operation] = name.split(' ');
		return {
			name,
			type: ACTION_NODE,
			parameters: { resource, operation, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: credential },
			// One item, whatever the node before returned.
			executeOnce: true,
			onError: 'continueRegularOutput',
		};
	});
	return [manualTrigger(START), ...nodes];
}

const run = async ({ id }: StoredWorkflow) =>
	await stage.n8n.executions.ended(await stage.n8n.workflows.run(id, START));

/** Runs every operation and pins its output, as the editor does. */
async function pinOutputs(): Promise<void> {
	const execution = await run(actions);
	const given = actions.nodes.map(({ name }) => [name, itemsOf(execution, name)] as const);
	const failed = given.filter(([, items]) => !items.length || items.some(({ json }) => json.error));
	expect(failed).toEqual([]);
	const pinData = Object.fromEntries(
		given.map(([name, items]) => [name, items.map(({ json }) => ({ json }))]),
	);
	await stage.n8n.workflows.update(actions.id, { pinData });
}

/** The service refuses to pause and to change a subscription, and quotes its URL and the key. */
async function failWithQuotes(url: string): Promise<void> {
	const { n8n, sandbox } = stage;
	const { apiKey } = sandbox.accounts.owner;
	sandbox.addFault({
		method: 'PATCH',
		path: '/webhooks/*',
		answer: { type: 'status', status: 422, message: `No: ${url}, Bearer ${apiKey}` },
	});
	const stored = actions.nodes.find(({ name }) => name === 'webhook update')!;
	const failing = { ...stored, onError: 'stopWorkflow' };
	const workflow = await n8n.workflows.create(chain('Refused', [manualTrigger(START), failing]));
	expect((await run(workflow)).status).toBe('error');
	await n8n.workflows.deactivate(triggered.id);
	sandbox.clearFaults();
	await stage.activate(triggered);
}

async function exportedByRest(): Promise<string> {
	const { session, executions } = stage.n8n;
	const both = [triggered, actions];
	const lists = await Promise.all(both.map(async ({ id }) => await executions.list(id)));
	const all = await Promise.all([
		...both.map(({ id }) => session.call('GET', `/rest/workflows/${id}`)),
		...lists.flat().map(({ id }) => session.call('GET', `/rest/executions/${id}`)),
	]);
	return JSON.stringify(all);
}

async function exportedByCommandLine(): Promise<string> {
	const { n8n } = stage;
	const files = ['workflow', 'credentials'].map((what) => join(n8n.userFolder, `${what}.json`));
	await n8n.command(['export:workflow', '--all', `--output=${files[0]}`]);
	await n8n.command(['export:credentials', '--all', `--output=${files[1]}`]);
	return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

it('exported workflows contain their static and pinned data', () => {
	expect(shared).toContain('Seen by all');
	expect(shared).toContain('"staticData":{"node:');
	expect(shared).toContain(triggered.nodes[0]!.webhookId);
});

it('no delivery with any string of the exports starts the workflow', async () => {
	const { n8n } = stage;
	const addresses = (shared.match(/https?:\/\/[^\s"'\\<>]+/g) ?? []).filter((url) =>
		url.startsWith(n8n.url),
	);
	const [parameter] = new URL(stage.subscription(triggered).url).searchParams.keys();
	const strings = shared.match(/[\w.~*+/=-]{16,}/g) ?? [];
	const address = `${n8n.url}${webhookPath(triggered)}`;
	const urls = new Set([
		...addresses,
		...strings.map((text) => `${address}?${parameter}=${encodeURIComponent(text)}`),
	]);
	// The secret of another workflow does not start this one.
	const { url } = stage.subscription(await stage.publish());
	urls.add(`${address}?${parameter}=${secretOf(url)}`);
	const before = await n8n.executions.list(triggered.id);
	const atOnce = pLimit(AT_A_TIME);
	const answers = [...urls].map((each) => atOnce(() => post(each, eventOf('shared'))));
	const statuses = await Promise.all(answers);
	expect(statuses.filter((status) => status !== 401 && status !== 404)).toEqual([]);
	expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(20);
	expect(await n8n.executions.list(triggered.id)).toEqual(before);
	// The right secret starts it.
	expect(await post(stage.subscription(triggered).url, eventOf('real'))).toBe(200);
	await n8n.executions.atLeast(triggered.id, before.length + 1);
});

/** Runs n8n's HTTP Request node with the credential. @returns the status, and the requests elsewhere and to the service */
async function request(typeVersion: number, change: (elsewhere: string) => object) {
	const { sandbox, n8n, credential } = stage;
	const other = await startOtherServer();
	const location = `${other.url}/elsewhere`;
	sandbox.addFault({ path: '/redirected', answer: { type: 'redirect', location } });
	const node = {
		name: 'Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion,
		parameters: {
			url: `${sandbox.baseUrl}/me`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			...change(other.url),
		},
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	sandbox.clearRecordings();
	const workflow = await n8n.workflows.create(chain('Request', [manualTrigger(START), node]));
	const { status } = await run(workflow);
	sandbox.clearFaults();
	await other.stop();
	const [elsewhere, service] = [other.requests, sandbox.requests()].map((all) =>
		JSON.stringify(all),
	);
	return { status, elsewhere, service };
}

it.each([4.1, 4.2, 4.3])(
	'the HTTP Request node %s sends the key to the service, but not to another origin after a redirect',
	async (typeVersion) => {
		const url = `${stage.sandbox.baseUrl}/redirected`;
		const { elsewhere, service } = await request(typeVersion, () => ({ url }));
		const { apiKey } = stage.sandbox.accounts.owner;
		expect(service).toContain(apiKey);
		expect(elsewhere).toContain('/elsewhere');
		expect(elsewhere).not.toContain(apiKey);
	},
);

it.each([
	['through a proxy of the node', (url: string) => ({ options: { proxy: url } })],
	['with certificates ignored', () => ({ options: { allowUnauthorizedCerts: true } })],
	['to an address without slashes', (url: string) => ({ url: url.replace('//', '') })],
])('the HTTP Request node does not send the key %s', async (_, change) => {
	const { status, elsewhere, service } = await request(4.2, change);
	expect(status).toBe('error');
	expect(elsewhere).not.toContain(stage.sandbox.accounts.owner.apiKey);
	expect(service).toBe('[]');
});

it('neither the API key nor a secret is in a file or the log of n8n', async () => {
	const { n8n } = stage;
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
	const leaks: string[] = [];
	for (const [index, file] of files.entries()) {
		const content = await readFile(file);
		const found = secrets.filter((secret) => content.includes(secret));
		leaks.push(
			...found.map((secret) => `${names[index]} contains secret ${secrets.indexOf(secret)}`),
		);
	}
	expect(leaks).toEqual([]);
});
