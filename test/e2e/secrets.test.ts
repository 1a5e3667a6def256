import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { chain, itemsOf, manualTrigger, N8n } from '../support/n8n';
import type { NodeDefinition, StoredWorkflow } from '../support/n8n';
import { ACTION_NODE, byId, fromList, offered } from './support/actions';
import { CREDENTIAL_TYPE } from './support/deployment';
import { eventOf, post } from './support/deliveries';
import { startOtherServer } from './support/otherServer';
import { onStage, webhookPath } from './support/stage';

const START = 'Start';

/** Kept by n8n for the whole test: everything that it has to say. */
const TALKATIVE = { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' };

const AT_A_TIME = 10;

// A dialect in which every operation succeeds.
const stage = onStage({
	dialect: 'fork',
	isStory: true,
	start: async () => await N8n.start({ environment: TALKATIVE }),
});

let triggered: StoredWorkflow;
let actions: StoredWorkflow;
/** The key, and the secrets that start the workflow: nowhere in clear. */
let secrets: string[];
/** Everything in the workflows' exports. */
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
	await pinWhatItGave();
	await failWhileTheServiceQuotes(production);
	shared = [await exportedByRest(), await exportedByCommandLine()].join('\n');
});

/** What the query of a subscription's address carries. */
function secretOf(url: string): string {
	const [secret] = new URL(url).searchParams.values();
	if (secret === undefined || secret.length < 32) throw new Error('The address has no secret.');
	return secret;
}

/** Every operation, on what the drop-downs offer: the trigger's own subscription among it. */
async function everyAction(url: string): Promise<NodeDefinition[]> {
	const { n8n, sandbox, credential } = stage;
	const [identity] = await offered(n8n, credential, 'searchIdentities');
	const webhooks = await offered(n8n, credential, 'searchWebhooks');
	const own = webhooks.find(({ value }) => value === stage.subscription(triggered).id);
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

const run = async ({ id }: StoredWorkflow) =>
	await stage.n8n.executions.ended(await stage.n8n.workflows.run(id, START));

/** Runs every operation and pins its items, as the editor does. */
async function pinWhatItGave(): Promise<void> {
	const execution = await run(actions);
	const given = actions.nodes.map(({ name }) => [name, itemsOf(execution, name)] as const);
	const isMissing = given.filter(
		([, items]) => items.length === 0 || items.some(({ json }) => json.error),
	);
	expect(isMissing).toEqual([]);
	const pinData = Object.fromEntries(
		given.map(([name, items]) => [name, items.map(({ json }) => ({ json }))]),
	);
	await stage.n8n.workflows.update(actions.id, { pinData });
}

/** A service that refuses to pause and to change a subscription, and quotes its address. */
async function failWhileTheServiceQuotes(url: string): Promise<void> {
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
	// The secret of another workflow is none of this one.
	const { url } = stage.subscription(await stage.publish());
	urls.add(`${address}?${parameter}=${secretOf(url)}`);
	const before = await n8n.executions.list(triggered.id);
	const atOnce = pLimit(AT_A_TIME);
	const answers = [...urls].map((each) => atOnce(() => post(each, eventOf('shared'))));
	const statuses = await Promise.all(answers);
	expect(statuses.filter((status) => status !== 401 && status !== 404)).toEqual([]);
	expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(20);
	expect(await n8n.executions.list(triggered.id)).toEqual(before);
	// It would have been started by the real one.
	expect(await post(stage.subscription(triggered).url, eventOf('real'))).toBe(200);
	await n8n.executions.atLeast(triggered.id, before.length + 1);
});

/** Runs n8n's HTTP Request node with the credential. @returns the status, and the requests elsewhere and to the service */
async function request(
	typeVersion: number,
	change: (elsewhere: string) => Record<string, unknown>,
): Promise<{ status: string; elsewhere: string; service: string }> {
	const { sandbox, n8n, credential } = stage;
	const other = await startOtherServer();
	sandbox.addFault({
		path: '/redirected',
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
			...change(other.url),
		},
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	sandbox.clearRecordings();
	const { status } = await run(
		await n8n.workflows.create(chain('Request', [manualTrigger(START), node])),
	);
	sandbox.clearFaults();
	await other.stop();
	const requests = { elsewhere: other.requests, service: sandbox.requests() };
	return {
		status,
		elsewhere: JSON.stringify(requests.elsewhere),
		service: JSON.stringify(requests.service),
	};
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
	const giving: string[] = [];
	for (const [index, file] of files.entries()) {
		const content = await readFile(file);
		for (const [number, secret] of secrets.entries()) {
			if (content.includes(secret)) giving.push(`${names[index]} holds secret ${number}`);
		}
	}
	expect(giving).toEqual([]);
});
