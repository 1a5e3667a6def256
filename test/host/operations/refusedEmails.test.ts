import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	chosen,
	jsonOf,
	receive,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

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

const sent = async () => {
	await sandbox.deliveriesSettled();
	return sandbox.sentEmails();
};

const account = { providerId: null, smtpAccountId: 'account' };
const ITEMS = { value: 'items@mailbox.test', sentFolder: 'sent-items', ...account };
const SMTP_ALONE = { value: 'smtp@mailbox.test', sentFolder: null, ...account };

describe.each(['observed', 'fork'] as const)('in a service that speaks %s', (dialect) => {
	useSandbox({ dialect });

	test('a value that the service refuses is named by its field', async () => {
		const problem = await problemOf({ to: 'zoë@example.org' });

		expect(problem).toMatch(/'To': Invalid email address/);
		expect(await sent()).toEqual([]);
	});

	test('a file that the service refuses is named', async () => {
		const file = (fileName: string, data: string) => ({ data, fileName, mimeType: 'text/plain' });
		const binary = { first: file('full.txt', 'aGk='), second: file('empty.txt', '') };
		const items: INodeExecutionData[] = [{ json: {}, binary }];
		const problem = await problemOf({ options: { attachments: 'first, second' } }, { items });

		expect(problem).toMatch(/'Attachments': empty\.txt is empty/);
		expect(problem).not.toMatch(/full\.txt/);
		expect(await sent()).toEqual([]);
	});

	test('a domain with other letters is sent in ASCII, and shown as it was written', async () => {
		const to = 'ada@exämple.org';
		const [item] = jsonOf(await run('message send', { ...EMAIL, to }));

		expect(item?.to).toBe(to);
		expect(await sent()).toMatchObject([{ to: ['ada@xn--exmple-cua.org'] }]);
	});

	test('an identity that the list shows as receiving alone is refused, and named', async () => {
		const { value } = sandbox.addIdentity({
			value: 'drop@inbound.test',
			meta: { provider: 'inbound' },
		});

		const problem = await problemOf({ identityId: chosen(value, 'address') });
		expect(problem).toMatch(/only receives.*drop@inbound\.test/);
		expect(posts()).toEqual([]);
	});

	test('an identity without a provider and an account only receives, which is said', async () => {
		const problem = await problemOf({ identityId: chosen('nothing@mailbox.test', 'address') });

		expect(problem).toMatch(/only receives.*nothing@mailbox\.test.*neither a provider nor/);
		expect(problem).not.toMatch(/may have been sent/);
	});

	test('an email from a domain fails, and the error says that it is a domain', async () => {
		const { id } = sandbox.addIdentity({ value: 'mail.test' });
		const problem = await problemOf({ identityId: chosen(id, 'id') });

		expect(problem).toMatch(/is a domain.*mail\.test/);
	});
});

describe('in Kurrier 3.5.0, which looks for a folder called sent', () => {
	useSandbox({ dialect: 'observed' });

	test.each([ITEMS, SMTP_ALONE])('$value is told both ways out', async (identity) => {
		const { id } = sandbox.addIdentity(identity);
		const problem = await problemOf({ identityId: chosen(id, 'id') });

		expect(problem).toContain(identity.value);
		expect(problem).toMatch(/Sent Items.*another identity.*Send Email node/);
		expect(problem).not.toMatch(/only receives/);
	});

	test('a deleted identity does not exist, and is named as it was chosen', async () => {
		const { id, value } = sandbox.addIdentity({ value: 'old@example.test' });
		sandbox.removeIdentity(id);
		const identityId = { ...chosen(id, 'list'), cachedResultName: value };
		const problem = await problemOf({ identityId });

		expect(problem).toMatch(/does not exist.*old@example\.test.*deleted/);
	});

	test('an email from an identity that cannot be read fails, and the error says how else to send it', async () => {
		const { id } = sandbox.addIdentity(ITEMS);
		sandbox.addFault({ path: '/identities/*', answer: { type: 'status', status: 500 } });

		expect(await problemOf({ identityId: chosen(id, 'id') })).toMatch(/cannot send.*Send Email/);
	});
});

describe('in its fork, which takes any folder for sent emails', () => {
	useSandbox({ dialect: 'fork' });

	test.each([ITEMS, SMTP_ALONE])('$value sends', async (identity) => {
		const { id, value } = sandbox.addIdentity(identity);
		jsonOf(await run('message send', { ...EMAIL, identityId: chosen(id, 'id') }));

		expect(await sent()).toMatchObject([{ from: value }]);
	});

	test('a reply names the field that is refused', async () => {
		const messageId = await receive('From: ada@example.org\r\nMessage-ID: <1@a.example>\r\n\r\nHi');
		const { identityId } = EMAIL;
		const { error } = await run('message reply', {
			emailToAnswer: 'other',
			messageId,
			to: 'zoë@example.org',
			text: 'Hi',
			options: { identityId },
		});

		expect(error?.description).toMatch(/'To': Invalid/);
		expect(await sent()).toEqual([]);
	});
});
