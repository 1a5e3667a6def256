import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf, projectFolder } from '../../support/n8n';
import { FORBIDDEN, NODE, PROBE } from '../probedHost';
import type { HostFact, ProbedHost } from '../probedHost';

const CHOSEN = {
	__rl: true,
	mode: 'list',
	value: 'id-1',
	cachedResultName: 'ada@example.com (Ada)',
};

interface NodeType {
	name: string;
}

async function nodeTypes(host: ProbedHost): Promise<NodeType[]> {
	return await host.n8n.session.call<NodeType[]>('GET', '/types/nodes.json');
}

/** The chain of an error that a request throws. */
async function failedRequest(host: ProbedHost, address: string) {
	const { chain } = await host.operation('request', { address });
	return (chain ?? []) as { name?: string; code?: unknown; httpCode?: unknown }[];
}

/** The names that our code imports from `n8n-workflow`, types left out: only these have to be there when it runs. */
function importedFromWorkflow(): string[] {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(join(projectFolder, folder, file), 'utf8')),
	);
	const imports = sources.flatMap((text) => [
		...text.matchAll(/^import \{([^}]+)\} from 'n8n-workflow'/gm),
	]);
	const names = imports
		.flatMap(([, list = '']) => list.split(','))
		.map((name) => name.trim().replace(/ as .*/, ''))
		.filter((name) => name !== '' && !name.startsWith('type '));
	return [...new Set(names)];
}

/** n8n's helpers for nodes and credentials, and its handling of their results. */
export const NODE_FACTS: HostFact[] = [
	{
		statement: 'n8n-workflow has everything that our code imports from it',
		usedIn: 'shared, api',
		async attempt({ n8n: { host } }) {
			const script = "JSON.stringify(Object.keys(require('n8n-workflow')))";
			const output = execFileSync(host.node, ['-p', script], {
				cwd: host.folder,
				encoding: 'utf8',
			});
			const exported = new Set(JSON.parse(output) as string[]);
			const imported = importedFromWorkflow();
			return [
				[imported.length > 0, imported.filter((name) => !exported.has(name))],
				[true, []],
			];
		},
	},
	{
		statement:
			'disableFollowRedirect, ignoreHttpStatusErrors, returnFullResponse and the encoding stream give a redirect itself, its headers and a body that can be read piece by piece',
		usedIn: 'api',
		async attempt(host) {
			const address = `${host.standIn.baseUrl}/redirect`;
			const { statusCode, headers, isStream } = await host.operation('request', { address });
			const hasLocation = 'location' in ((headers ?? {}) as object);
			return [
				[statusCode, hasLocation, isStream],
				[302, true, true],
			];
		},
	},
	{
		statement:
			'httpRequestWithAuthentication ends a request by the signal that getExecutionCancelSignal of its context gives',
		usedIn: 'api',
		async attempt(host) {
			const address = `${host.standIn.baseUrl}/hang`;
			return [await host.operation('cancel', { address }), { ended: 'by the signal' }];
		},
	},
	{
		statement:
			'An execution has getExecutionCancelSignal, so that a node can end what it waits for',
		usedIn: 'operations',
		attempt: async (host) => [(await host.operation('chosen')).signal, 'function'],
	},
	{
		statement:
			"Node's error code is in the chain of cause and errorResponse of what a failed request throws, or, where there is no chain, its httpCode",
		usedIn: 'api',
		async attempt(host) {
			// Nothing listens on the port of "discard".
			const links = await failedRequest(host, 'http://127.0.0.1:9/');
			const inChain = links.find(({ code }) => typeof code === 'string')?.code;
			return [inChain ?? links[0]?.httpCode, 'ECONNREFUSED'];
		},
	},
	{
		statement:
			'Where n8n is not allowed to ask an address, a name with SSRF in it is in the chain of cause and errorResponse, and no error code',
		usedIn: 'api, trigger/sampleEmail.ts',
		line: '2',
		async attempt(host) {
			const links = await failedRequest(host, `http://${FORBIDDEN}:9/`);
			const isNamed = links.some(({ name = '' }) => /ssrf/i.test(name));
			const codes = links.map(({ code }) => code).filter((code) => typeof code === 'string');
			return [
				[isNamed, codes],
				[true, []],
			];
		},
	},
	{
		statement:
			"n8n puts a sentence of its own in the place of a message that names one of Node's error codes",
		usedIn: 'api',
		async attempt(host) {
			const { message } = await host.failure('Nothing listens there (ECONNREFUSED)');
			return [message.includes('Nothing listens there'), false];
		},
	},
	{
		statement: 'An execution stores what stands on the error of a node, whatever it is called',
		usedIn: 'api',
		async attempt(host) {
			const { message, note } = await host.failure('What happened');
			return [
				[message, note],
				['What happened', 'on the error'],
			];
		},
	},
	{
		statement:
			'HTTP Request 4.3, which follows redirects with the key, leaves it behind at another origin where authenticate says so',
		usedIn: 'credentials',
		async attempt(host) {
			const { standIn, elsewhere } = host;
			standIn.clearRecordings();
			elsewhere.requests.length = 0;
			const execution = await host.run({
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.3,
				parameters: {
					url: `${standIn.baseUrl}/redirect`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'probeApi',
				},
			});
			itemsOf(execution, NODE);
			const keysOf = (requests: { headers: Record<string, unknown> }[]) =>
				requests.map(({ headers }) => headers.authorization ?? 'no key');
			return [
				[keysOf(standIn.requests()), keysOf(elsewhere.requests)],
				[['Bearer the-key'], ['no key']],
			];
		},
	},
	{
		statement:
			'A function that tests a credential is given helpers.request, by the node that names it in testedBy',
		usedIn: 'api',
		async attempt(host) {
			const { status, message } = await host.n8n.credentials.test('probeApi', { key: 'k' });
			return [
				[status, message.split(' ').includes('request')],
				['OK', true],
			];
		},
	},
	{
		statement:
			'A node that asks for a field that was chosen from a list is given the stored name beside the ID',
		usedIn: 'shared',
		async attempt(host) {
			const { chosen } = await host.operation('chosen', { chosen: CHOSEN });
			const { mode, value, cachedResultName } = chosen as typeof CHOSEN;
			return [
				[mode, value, cachedResultName],
				['list', 'id-1', CHOSEN.cachedResultName],
			];
		},
	},
	{
		statement: 'n8n offers a node with usableAsTool once more, as a type that ends in Tool',
		usedIn: 'operations',
		async attempt(host) {
			const names = (await nodeTypes(host)).map(({ name }) => name);
			const own = names.filter((name) => name.startsWith(PROBE) && !name.includes('Trigger'));
			return [own.sort(), [PROBE, `${PROBE}Tool`]];
		},
	},
	{
		statement: 'An item with error and message goes to the error output',
		usedIn: 'operations',
		async attempt(host) {
			const execution = await host.run({
				parameters: { operation: 'failedItem' },
				onError: 'continueErrorOutput',
			});
			return [[0, 1].map((output) => itemsOf(execution, NODE, output).length), [0, 1]];
		},
	},
];
