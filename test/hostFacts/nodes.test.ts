import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf, projectFolder } from '../support/n8n';
import { fact, FORBIDDEN, NODE, onProbedHost, PROBE } from './support/probedHost';

const host = onProbedHost();

/** The links of the error that a request throws. */
async function failedRequest(address: string) {
	const { chain } = await host.operation('request', { address });
	return (chain ?? []) as { name?: string; code?: unknown; httpCode?: unknown }[];
}

/** The names that our code imports from `n8n-workflow` and that exist when it runs, so no types. */
function importedFromWorkflow(): string[] {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(join(projectFolder, folder, file), 'utf8')),
	);
	const imports = sources.flatMap((text) => [
		...text.matchAll(/^import \{([^}]+)\} from 'n8n-workflow'/gm),
	]);
	return imports
		.flatMap(([, list = '']) => list.split(','))
		.map((name) => name.trim().replace(/ as .*/, ''))
		.filter((name) => name !== '' && !name.startsWith('type '));
}

fact('shared, api', 'n8n-workflow exports everything that our code imports from it', async () => {
	const script = "JSON.stringify(Object.keys(require('n8n-workflow')))";
	const { node, folder: cwd } = host.n8n.host;
	const exported: unknown = JSON.parse(
		execFileSync(node, ['-p', script], { cwd, encoding: 'utf8' }),
	);
	const imported = importedFromWorkflow();
	expect(imported).toContain('NodeApiError');
	expect(exported).toEqual(expect.arrayContaining(imported));
});

fact(
	'api',
	'disableFollowRedirect, ignoreHttpStatusErrors, returnFullResponse and the encoding stream return the redirect itself, its headers and a body that can be read in pieces',
	async () => {
		const address = `${host.standIn.baseUrl}/redirect`;
		const answer = await host.operation('request', { address });
		expect(answer).toMatchObject({ statusCode: 302, isStream: true });
		expect(answer.headers).toHaveProperty('location');
	},
);

fact(
	'api',
	'httpRequestWithAuthentication ends a request if the signal of getExecutionCancelSignal of its context is aborted',
	async () => {
		const address = `${host.standIn.baseUrl}/hang`;
		expect(await host.operation('cancel', { address })).toEqual({ ended: 'by the signal' });
	},
);

fact('operations', 'An execution has getExecutionCancelSignal', async () => {
	expect(await host.operation('chosen')).toMatchObject({ signal: 'function' });
});

fact(
	'api',
	"Node.js's error code is in the chain of cause and errorResponse of what a failed request throws, or, without a chain, its httpCode",
	async () => {
		// Nothing listens on the port of "discard".
		const links = await failedRequest('http://127.0.0.1:9/');
		const inChain = links.find(({ code }) => typeof code === 'string')?.code;
		expect(inChain ?? links[0]?.httpCode).toBe('ECONNREFUSED');
	},
);

fact(
	'api, trigger/sampleEmail.ts',
	'If n8n may not send requests to an address, a name with SSRF in it is in the chain of cause and errorResponse, and no error code',
	async () => {
		const links = await failedRequest(`http://${FORBIDDEN}:9/`);
		expect(links.map(({ name }) => name)).toContainEqual(expect.stringMatching(/ssrf/i));
		expect(links.filter(({ code }) => typeof code === 'string')).toEqual([]);
	},
	'2',
);

fact(
	'api',
	"n8n replaces a message that names one of Node.js's error codes by a sentence of its own",
	async () => {
		const { message } = await host.failure('Nothing listens there (ECONNREFUSED)');
		expect(message).not.toContain('Nothing listens there');
	},
);

fact('api', "An execution stores each property of a node's error, whatever its name", async () => {
	const error = await host.failure('What happened');
	expect(error).toMatchObject({ message: 'What happened', note: 'on the error' });
});

fact(
	'credentials',
	'HTTP Request 4.3, which follows redirects with the key, does not send it to another origin if authenticate says so',
	async () => {
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
			requests.map(({ headers }) => headers.authorization);
		expect(keysOf(standIn.requests())).toEqual(['Bearer the-key']);
		expect(keysOf(elsewhere.requests)).toEqual([undefined]);
	},
);

fact(
	'api',
	'A function that tests a credential has helpers.request, if the node names it in testedBy',
	async () => {
		const { status, message } = await host.n8n.credentials.test('probeApi', { key: 'k' });
		expect(status).toBe('OK');
		expect(message.split(' ')).toContain('request');
	},
);

fact(
	'shared',
	'A node that reads a field that was chosen from a list gets the stored name with the ID',
	async () => {
		const chosen = { __rl: true, mode: 'list', value: 'id-1', cachedResultName: 'ada (Ada)' };
		expect((await host.operation('chosen', { chosen })).chosen).toMatchObject(chosen);
	},
);

fact('operations', 'n8n adds a second type that ends in Tool for usableAsTool', async () => {
	const types = await host.n8n.session.call<{ name: string }[]>('GET', '/types/nodes.json');
	const names = types.map(({ name }) => name);
	const own = names.filter((name) => name.startsWith(PROBE) && !name.includes('Trigger'));
	expect(own.sort()).toEqual([PROBE, `${PROBE}Tool`]);
});

fact('operations', 'An item with error and message goes to the error output', async () => {
	const parameters = { operation: 'failedItem' };
	const execution = await host.run({ parameters, onError: 'continueErrorOutput' });
	expect(itemsOf(execution, NODE, 0)).toEqual([]);
	expect(itemsOf(execution, NODE, 1)).toHaveLength(1);
});
