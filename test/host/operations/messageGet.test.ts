import { jsonOf, run, sandbox, useSandbox } from './support/operation';

const SALES = 'sales@example.test';

useSandbox({ dialect: 'fork' });

test.each([
	['Auto-Submitted: auto-replied', 'reply'],
	['List-Id: Team <team.example.com>', 'list'],
	['List-Unsubscribe: <mailto:off@example.com>', 'list'],
	['X-Mailer: x', null],
])(
	'an email with %s that is fetched without its raw email has the kind %p',
	async (field, kind) => {
		const header = `Message-ID: <1@example.com>\r\n${field}`;
		const raw = `${header}\r\nFrom: ada@example.com\r\nTo: team@example.com\r\n\r\nHello`;
		const { messages } = await sandbox.receiveMail(raw, { to: SALES });

		const [email] = jsonOf(await run('message get', { messageId: messages[0]!.fields.id }));

		expect(email).toMatchObject({ delivery: { automatic: kind, recipient: SALES } });
	},
);
