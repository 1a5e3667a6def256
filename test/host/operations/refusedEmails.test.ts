import type { INodeParameters } from 'n8n-workflow';

import { chosen, requestLines, run, sandbox, useSandbox } from './support/operation';

const EMAIL = {
	identityId: chosen('sales@example.test', 'address'),
	to: 'ada@example.org',
	subject: 'Your order',
	text: 'Thank you',
};

const problemOf = async (parameters: INodeParameters, more = {}) => {
	const { error } = await run('message send', { ...EMAIL, ...parameters }, more);
	return `${error?.message} ${error?.description}`;
};

const posts = () => requestLines().filter((line) => line.startsWith('POST'));

describe.each(['observed', 'fork'] as const)('in a service that speaks %s', (dialect) => {
	useSandbox({ dialect });

	test('an identity that the list shows as receiving alone is refused, and named', async () => {
		const { value } = sandbox.addIdentity({
			value: 'drop@inbound.test',
			meta: { provider: 'inbound' },
		});

		const problem = await problemOf({ identityId: chosen(value, 'address') });
		expect(problem).toMatch(/only receives.*drop@inbound\.test/);
		expect(posts()).toEqual([]);
	});
});
