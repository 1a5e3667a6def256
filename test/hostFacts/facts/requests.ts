import { itemsOf } from '../../e2e/driver';
import { expecting, type HostFact } from '../hostFact';
import { FORBIDDEN, NODE } from '../probedHost';

/** What n8n's request helpers do, and with the credential. */
export const REQUEST_FACTS: HostFact[] = [
	{
		name: 'a bounded request',
		statement:
			'disableFollowRedirect, ignoreHttpStatusErrors, returnFullResponse and the encoding stream give a redirect itself, its headers and a body that can be read piece by piece',
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			const address = host.standIn.url('/redirect');
			const { statusCode, headers, isStream } = await host.operation('request', { address });
			const hasLocation = 'location' in ((headers ?? {}) as object);
			return expecting(
				{ statusCode, hasLocation, isStream },
				{ statusCode: 302, hasLocation: true, isStream: true },
			);
		},
	},
	{
		name: 'the cancel signal',
		statement:
			'httpRequestWithAuthentication ends a request by the signal that getExecutionCancelSignal of its context gives',
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			const address = host.standIn.url('/hang');
			return expecting(await host.operation('cancel', { address }), { ended: 'by the signal' });
		},
	},
	{
		name: 'the cancel signal of an execution',
		statement:
			'An execution has getExecutionCancelSignal, so that a node can end what it waits for',
		usedIn: ['resources'],
		by: 'n8n',
		attempt: async (host) => expecting((await host.operation('chosen')).signal, 'function'),
	},
	{
		name: 'the code of a failed connection',
		statement:
			"Node's error code is in the chain of cause and errorResponse of what a failed request throws, or, where there is no chain, its httpCode",
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			// Nothing listens on the port of "discard".
			const { chain } = await host.operation('request', { address: 'http://127.0.0.1:9/' });
			const links = (chain ?? []) as { code?: unknown; httpCode?: unknown }[];
			const inChain = links.find(({ code }) => typeof code === 'string')?.code;
			const told = inChain ?? links[0]?.httpCode;
			return { holds: told === 'ECONNREFUSED', seen: JSON.stringify(chain) ?? 'no error' };
		},
	},
	{
		name: 'the refusal of an address',
		statement:
			'Where n8n is not allowed to ask an address, a name with SSRF in it is in the chain of cause and errorResponse, and no error code',
		usedIn: ['api', 'trigger/sample'],
		line: '2',
		by: 'n8n',
		async attempt(host) {
			const { chain } = await host.operation('request', { address: `http://${FORBIDDEN}:9/` });
			const links = (chain ?? []) as { name?: string; code?: unknown }[];
			const isNamed = links.some(({ name = '' }) => /ssrf/i.test(name));
			const hasCode = links.some(({ code }) => typeof code === 'string');
			return { holds: isNamed && !hasCode, seen: JSON.stringify(chain) ?? 'no error' };
		},
	},
	{
		name: 'an error code in a message',
		statement:
			"n8n puts a sentence of its own in the place of a message that names one of Node's error codes",
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			const { message } = await host.failure('Nothing listens there (ECONNREFUSED)');
			return { holds: !message.includes('Nothing listens there'), seen: message };
		},
	},
	{
		name: 'own properties of an error',
		statement: 'An execution stores what stands on the error of a node, whatever it is called',
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			const { message, note } = await host.failure('What happened');
			return expecting({ message, note }, { message: 'What happened', note: 'on the error' });
		},
	},
	{
		name: 'sendCredentialsOnCrossOriginRedirect',
		statement:
			'HTTP Request 4.3, which follows redirects with the key, leaves it behind at another origin where authenticate says so',
		usedIn: ['credentials'],
		by: 'n8n',
		async attempt(host) {
			const { standIn } = host;
			const before = standIn.received.length;
			const execution = await host.run({
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.3,
				parameters: {
					url: standIn.url('/redirect'),
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'probeApi',
				},
			});
			itemsOf(execution, NODE);
			const keys = standIn.received
				.slice(before)
				.map(({ origin, authorization }) => `${origin}: ${authorization ?? 'no key'}`);
			return expecting(keys, ['first: Bearer the-key', 'second: no key']);
		},
	},
	{
		name: 'the test of a credential',
		statement:
			'A function that tests a credential is given helpers.request, by the node that names it in testedBy',
		usedIn: ['api'],
		by: 'n8n',
		async attempt(host) {
			const { status, message } = await host.n8n.credentials.test('probeApi', { key: 'k' });
			return {
				holds: status === 'OK' && message.split(' ').includes('request'),
				seen: `${status}: ${message}`,
			};
		},
	},
];
