import type { EmailAddress } from '../../../../../lib/email';
import {
	withEmail,
	type MessageWithEmail,
} from '../../../../../nodes/EmailIdentity/shared/reading/messageWithEmail';
import { rows } from '../../../../support/rows';
import { answerTo, checking, emailWith, itemsOf, outcomeOf, type Told } from '../support/requests';

const mockBodies = { areFaulty: false };

jest.mock('../../../../../lib/email/text/bodyText', () => {
	const path = '../../../../../lib/email/text/bodyText';
	const actual = jest.requireActual<typeof import('../../../../../lib/email/text/bodyText')>(path);
	const readBodies: typeof actual.readBodies = async (...args) => {
		if (mockBodies.areFaulty) throw new Error('A fault');
		return await actual.readBodies(...args);
	};
	return { ...actual, readBodies };
});

afterEach(() => {
	mockBodies.areFaulty = false;
});

const mailFrom = (from: string, senderCheck: 'add' | 'require', message: object = {}): Told => ({
	rawEmail: emailWith(`From: ${from}`),
	message,
	parameters: { senderCheck },
	authenticateSender: checking('pass', 'example.com'),
});

test.each([
	['eve@evil.example', 'filtered'],
	['eve@mail.example.com', 'filtered'],
	['"ada@example.com" <eve@evil.example>', 'filtered'],
	['ada@EXAMPLE.com', 'started'],
])('a proof of example.com for an email from %s: %s', async (from, outcome) => {
	expect(await outcomeOf(mailFrom(from, 'require'))).toBe(outcome);
});

/** A check that returns another email than the one that came. */
const returning = (rawEmail: string) => ({
	authenticateSender: async (email: MessageWithEmail) => ({
		...(await checking('pass', 'example.com')(email)),
		email: withEmail({ ...email.received, rawEmail }, async () => {}),
	}),
});

test('a proved email is read and filtered as the check returned it', async () => {
	const told = {
		...mailFrom('ada@example.com', 'require'),
		...returning(emailWith('From: eve@example.com', 'Content-Type: text/html')),
	};
	const [item] = await itemsOf(told);
	expect(item?.json).toMatchObject({ from: { address: 'eve@example.com' }, html: 'Hi there' });
	const parameters = { senderCheck: 'require' as const, filters: { from: 'ada@example.com' } };
	expect(await outcomeOf({ ...told, parameters })).toBe('filtered');
	expect(await outcomeOf({ ...told, ...returning(emailWith('From: eve@evil.example')) })).toBe(
		'filtered',
	);
});

/** Headers that a reader may take for Ada's, although evil.example signed them. */
const SIGNED_BY_EVE = [
	...rows(`
		From: ada@example.com | From: eve@evil.example
		From: eve@evil.example | From: ada@example.com
		From: ada@example.com, eve@evil.example
		From: ada@example.com: eve@evil.example;
		From: "ada@example.com" <eve@evil.example>
		From: <ada@example.com> <eve@evil.example>
		From: =?utf-8?q?ada=40example.com?= <eve@evil.example>
		From: ada@example.com (eve@evil.example)
		From: "ada@example.com"@evil.example
		From: ada@example.com@evil.example
		From : ada@example.com | From: eve@evil.example
		Sender: ada@example.com
		From: ada@example.com`),
	['From:', ' ada@example.com', 'From: eve@evil.example'],
	['X-Note: a\rFrom: ada@example.com', 'From: eve@evil.example'],
	['X-Note: a\nFrom: ada@example.com', 'From: eve@evil.example'],
];

test.each(SIGNED_BY_EVE.map((fields) => ({ fields })))(
	'an email with $fields, signed by evil.example, does not pass as Ada',
	async ({ fields }) => {
		const told: Told = {
			rawEmail: `${fields.join('\r\n')}\r\nTo: inbox@example.org\r\n\r\nPay at once.\r\n`,
			authenticateSender: checking('pass', 'evil.example'),
			parameters: { senderCheck: 'require' },
		};
		const filters = { from: 'example.com, ada@example.com, *@example.com' };
		const parameters = { ...told.parameters, filters };
		expect(await outcomeOf({ ...told, parameters })).toBe('filtered');
		const [item] = await itemsOf(told);
		const { address } = (item?.json.from ?? { address: 'filtered' }) as EmailAddress;
		expect(address).toMatch(/^filtered$|@evil\.example$/);
	},
);

test('an email that could not be parsed because of a fault does not count as proved', async () => {
	mockBodies.areFaulty = true;
	const known = { from: 'eve@evil.example', text: 'Pay at once' };
	const required = await answerTo(mailFrom('ada@example.com', 'require', known));
	const [added] = await itemsOf(mailFrom('ada@example.com', 'add', known));

	expect(required).toMatchObject({ filter: 'Sender Check: unknown' });
	expect(added?.json).toMatchObject({
		parsed: false,
		from: { address: 'eve@evil.example' },
		delivery: { authentication: { result: 'unknown', domain: null, signed: [] } },
	});
	expect(added?.json.delivery).not.toHaveProperty('authentication.contentSigned');
});
