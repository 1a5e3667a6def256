import { itemsOf } from '../support/n8n';
import { fact, NODE, onProbedHost } from './support/probedHost';

const host = onProbedHost();

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
	expect(await host.operation('look')).toMatchObject({ signal: 'function' });
});

fact(
	'api',
	"Node.js's error code is in the chain of cause and errorResponse of what a failed request throws, or, without a chain, its httpCode",
	async () => {
		// Nothing listens on the port of "discard".
		const { chain } = await host.operation('request', { address: 'http://127.0.0.1:9/' });
		const links = chain as { code?: unknown; httpCode?: unknown }[];
		const inChain = links.find(({ code }) => typeof code === 'string')?.code;
		expect(inChain ?? links[0]?.httpCode).toBe('ECONNREFUSED');
	},
);

fact('operations', 'An item with error and message goes to the error output', async () => {
	const parameters = { operation: 'failedItem' };
	const execution = await host.run({ parameters, onError: 'continueErrorOutput' });
	expect(itemsOf(execution, NODE, 0)).toEqual([]);
	expect(itemsOf(execution, NODE, 1)).toHaveLength(1);
});
