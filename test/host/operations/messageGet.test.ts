import { jsonOf, receive, run, useSandbox } from './support/operation';

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
		const [email] = jsonOf(await run('message get', { messageId: await receive(raw) }));

		expect(email).toMatchObject({ delivery: { automatic: kind, recipient: 'sales@example.test' } });
	},
);
