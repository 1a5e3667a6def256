import { receive } from '../../../../nodes/EmailIdentity/trigger/delivery/receive';
import { checking, emailWith, itemsOf, outcomeOf, requestOf, type Told } from './requests';

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
const mailFrom = (from: string, senderCheck: 'add' | 'require', message: object = {}): Told => ({
	rawEmail: emailWith(`From: ${from}`),
	message: { deliveredTo: 'inbox@example.org', ...message },
	parameters: { senderCheck },
	authenticateSender: checking('pass', 'example.com'),
});

test.each([
	['eve@evil.example', 'filtered'],
	['eve@mail.example.com', 'filtered'],
	['"ada@example.com" <eve@evil.example>', 'filtered'],
	['ada@EXAMPLE.com', 'started'],
])('a proof of example.com, for an email that is read as from %s: %s', async (from, outcome) => {
	expect(await outcomeOf(mailFrom(from, 'require'))).toBe(outcome);
});

test('what was proved of an email is not said of other fields, which a fault of the node puts in their place', async () => {
	mockBodies.areFaulty = true;
	const known = { from: 'eve@evil.example', text: 'Pay at once' };
	const required = await receive(requestOf(mailFrom('ada@example.com', 'require', known)));
	const [added] = await itemsOf(mailFrom('ada@example.com', 'add', known));

	expect(required).toMatchObject({ filter: 'Sender Check', unproved: 'unknown' });
	expect(added?.json).toMatchObject({
		parsed: false,
		from: { address: 'eve@evil.example' },
		delivery: { authentication: { result: 'unknown', domain: null } },
	});
});

test.each([
	['off', 1],
	['add', 0],
] as const)(
	'with the check %s, a blank that no signature covers makes %i files',
	async (senderCheck, count) => {
		const rawEmail = [
			'From: ada@example.com',
			'Content-Type: multipart/mixed; boundary=b',
			...[
				'',
				'--b',
				'Content-Type: text/plain',
				' ',
				'Content-Disposition: attachment',
				'',
				'Pay.',
			],
			'--b--',
			'',
		].join('\r\n');
		const [item] = await itemsOf({ ...mailFrom('', 'add'), rawEmail, parameters: { senderCheck } });

		expect(item?.json.attachments).toHaveLength(count);
	},
);
