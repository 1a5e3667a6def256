import type { IDataObject } from 'n8n-workflow';

import { receive } from '../../../../nodes/EmailIdentity/trigger/delivery/receive';
import { emailWith, requestOf } from './requests';

const mockBodies = { areFaulty: false };

jest.mock('../../../../nodes/EmailIdentity/email/bodyText', () => {
	const actual = jest.requireActual<
		typeof import('../../../../nodes/EmailIdentity/email/bodyText')
	>('../../../../nodes/EmailIdentity/email/bodyText');
	return {
		...actual,
		readBodies: async (...args: Parameters<typeof actual.readBodies>) =>
			mockBodies.areFaulty
				? await Promise.reject(new Error('A fault'))
				: await actual.readBodies(...args),
	};
});

afterEach(() => {
	mockBodies.areFaulty = false;
});

/** An email in which example.com is proved, whatever its From is. */
const deliver = async (from: string, senderCheck: 'add' | 'require', message: object = {}) =>
	await receive(
		requestOf({
			rawEmail: emailWith(`From: ${from}`),
			message: { deliveredTo: 'inbox@example.org', ...message },
			parameters: { senderCheck },
			authenticateSender: async () =>
				await Promise.resolve({
					authentication: {
						...{ result: 'pass', reason: null, domain: 'example.com' },
						...{ signatures: [], policy: null, reported: null },
					},
					retryable: false,
				}),
		}),
	);

test.each([
	['eve@evil.example', 'ignored'],
	['eve@mail.example.com', 'ignored'],
	['"ada@example.com" <eve@evil.example>', 'ignored'],
	['ada@example.com', 'started'],
	['ada@EXAMPLE.com', 'started'],
])('a proof of example.com, for an email that is read as from %s: %s', async (from, outcome) => {
	expect((await deliver(from, 'require')).outcome).toBe(outcome);
});

test('what was proved of an email is not said of other fields, which a fault of the node puts in their place', async () => {
	mockBodies.areFaulty = true;
	const known = { from: 'eve@evil.example', text: 'Pay at once' };
	const required = await deliver('ada@example.com', 'require', known);
	const added = await deliver('ada@example.com', 'add', known);

	expect(required).toMatchObject({
		...{ reason: 'filtered', filter: 'Sender Check', unproved: 'unknown' },
	});
	const json = added.outcome === 'started' ? added.items[0]?.json : undefined;
	expect(json).toMatchObject({ parsed: false, from: { address: 'eve@evil.example' } });
	expect((json?.delivery as IDataObject).authentication).toMatchObject({
		...{ result: 'unknown', domain: null },
	});
});
