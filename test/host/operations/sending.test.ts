import { simpleParser } from 'mailparser';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import {
	chosen,
	idOf,
	itemsOf,
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
	text: 'Thank you & see <you> soon',
};

const RAW_EMAIL = [
	'From: Ada <ada@example.org>',
	'To: sales@example.test',
	'Subject: Order 17',
	'Message-ID: <17@example.org>',
	'',
	'When does it arrive?',
].join('\r\n');

/** The requests that could send an email. */
const posts = () => requestLines().filter((line) => line.startsWith('POST'));

const bodies = () =>
	sandbox
		.requests(({ method }) => method === 'POST')
		.map(({ body }) => JSON.parse(body) as IDataObject);

const lastSent = async () => {
	await sandbox.deliveriesSettled();
	return sandbox.sentEmails().at(-1)!;
};

const messageOfError = async (name: string, parameters: INodeParameters, more = {}) => {
	const { error } = await run(name, parameters, more);
	return `${error?.message} ${error?.description}`;
};

/** An item of the trigger for an email, as far as a reply needs it. */
const received = (id: string, answer: IDataObject | null, noAnswer: string | null = null) => ({
	thread: { answer, noAnswer },
	delivery: { id, recipient: 'sales@example.test' },
});

const NOT_SENT = { sent: false, messageId: null, inConversation: false };

const answerTo = (to: string) => ({ to, subject: 'Re: Order 17' });

describe.each(['observed', 'fork'] as const)('in a service that speaks %s', (dialect) => {
	useSandbox({ dialect });

	test('Send sends one request and says what was sent', async () => {
		const [item] = jsonOf(await run('message send', EMAIL));
		const { from, to, subject, text, html, id } = await lastSent();
		expect({ from, to, subject, text, html }).toEqual({
			from: 'sales@example.test',
			to: ['ada@example.org'],
			subject: EMAIL.subject,
			text: EMAIL.text,
			html: null,
		});
		expect(item).toEqual({
			sent: true,
			reason: null,
			messageId: id,
			to: EMAIL.to,
			subject: EMAIL.subject,
			inConversation: false,
		});
		expect(posts()).toEqual(['POST /email/send']);
	});

	test('an email in both formats has its files, byte for byte', async () => {
		const binary = {
			data: {
				data: Buffer.from([0, 255, 13, 10]).toString('base64'),
				mimeType: 'application/pdf',
				fileName: 'über.pdf',
			},
		};
		const items: INodeExecutionData[] = [{ json: {}, binary }];
		const formats = { emailFormat: 'both', html: '<p>Thank you</p>' };
		const parameters = { ...EMAIL, ...formats, options: { attachments: 'data' } };
		jsonOf(await run('message send', parameters, { items }));
		const mail = await simpleParser((await lastSent()).rawEmail);
		expect(mail.text).toContain('Thank you & see');
		expect(mail.html).toContain('<p>Thank you</p>');
		expect(mail.attachments).toMatchObject([
			{ filename: 'über.pdf', contentType: 'application/pdf' },
		]);
		expect([...mail.attachments[0]!.content]).toEqual([0, 255, 13, 10]);
	});

	test('behind the trigger, a reply needs only its text', async () => {
		const id = await receive(RAW_EMAIL);
		const items = itemsOf(received(id, answerTo('ada@example.org')));
		const [item] = jsonOf(await run('message reply', { text: EMAIL.text }, items));
		const inConversation = dialect === 'fork';
		expect(item).toMatchObject({ to: 'ada@example.org', subject: 'Re: Order 17', inConversation });
		const { from, inReplyTo, html } = await lastSent();
		expect({ from, inReplyTo }).toEqual({
			from: 'sales@example.test',
			inReplyTo: inConversation ? '<17@example.org>' : null,
		});
		// With text alone, mail programs show only the quotation.
		expect(html).toContain('Thank you &amp; see &lt;you&gt; soon');
	});

	test('several items learn once that there is no route for replies', async () => {
		const id = await receive(RAW_EMAIL);
		const item = received(id, answerTo('ada@example.org'));
		const items = itemsOf(item, item, item);
		const text = '={{ "Hi " + $itemIndex }}';
		expect(jsonOf(await run('message reply', { text }, items))).toHaveLength(3);
		const replies = posts().filter((line) => line === 'POST /email/reply');
		const sends = posts().filter((line) => line === 'POST /email/send');
		expect([replies.length, sends.length]).toEqual(dialect === 'fork' ? [3, 0] : [1, 3]);
	});

	test('an address that is no identity is named, and nothing is sent', async () => {
		const identityId = chosen('nobody@example.test', 'address');
		expect(await messageOfError('message send', { ...EMAIL, identityId })).toContain(
			'nobody@example.test',
		);
		expect(posts()).toEqual([]);
	});

	test.each(['automatic', 'noAddress', 'noReplyAddress', 'ownAddress'])(
		'an email that must not be answered (%s) is no failure, and a hint says why',
		async (noAnswer) => {
			const items = itemsOf(received('x', null, noAnswer));
			const { hints, ...result } = await run('message reply', { text: '={{ null }}' }, items);
			expect(jsonOf({ hints, ...result })).toEqual([
				{ ...NOT_SENT, reason: noAnswer, to: null, subject: null },
			]);
			expect(hints).toMatchObject([{ message: expect.stringContaining('Not sent: ') as string }]);
			expect(requestLines()).toEqual([]);
		},
	);

	test('items with the same reply to the same email send it once, and each gets the result', async () => {
		const item = received(await receive(RAW_EMAIL), answerTo('ada@example.org'));
		const [first, second] = jsonOf(await run('message reply', { text: 'Hi' }, itemsOf(item, item)));
		expect(first).toMatchObject({ sent: true });
		expect(second).toEqual(first);
		await sandbox.deliveriesSettled();
		expect(sandbox.sentEmails()).toHaveLength(1);
	});

	test('files with the same name and other bytes are other replies', async () => {
		const json = received(await receive(RAW_EMAIL), answerTo('ada@example.org'));
		const file = (data: string) => ({ data: { data, mimeType: 'text/plain', fileName: 'a.txt' } });
		const items = ['YQ==', 'YQ==', 'Yg=='].map((data) => ({ json, binary: file(data) }));
		const parameters = { text: 'Hi', options: { attachments: 'data, data' } };
		jsonOf(await run('message reply', parameters, { items }));
		await sandbox.deliveriesSettled();
		expect(sandbox.sentEmails()).toHaveLength(2);
		expect((await simpleParser((await lastSent()).rawEmail)).attachments).toHaveLength(1);
	});

	test('a failed reply that may have been sent is not sent again for another item', async () => {
		sandbox.addFault({ method: 'POST', answer: { type: 'drop' }, acts: true });
		const item = received(await receive(RAW_EMAIL), answerTo('ada@example.org'));
		const more = { ...itemsOf(item, item), onError: 'continueRegularOutput' as const };
		const results = jsonOf(await run('message reply', { text: 'Hi' }, more));
		expect(results.map((result) => 'error' in result)).toEqual([true, true]);
		expect(posts()).toHaveLength(1);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'Retry On Fail sends no email twice (%s)',
		async (onError) => {
			const subject = '={{ "Hi " + $itemIndex }}';
			const refused = { type: 'status', status: 400 } as const;
			sandbox.addFault({ method: 'POST', count: 1, answer: refused });
			sandbox.addFault({ method: 'POST', skip: 1, count: 1, answer: { type: 'drop' }, acts: true });
			const more = { ...itemsOf({}, {}, {}), onError, maxTries: 4 };
			await run('message send', { ...EMAIL, subject }, more);
			const subjects = bodies().map((body) => body.subject);
			expect(subjects.filter((each) => each === 'Hi 0')).toHaveLength(2);
			expect(subjects.filter((each) => each === 'Hi 1')).toHaveLength(1);
		},
	);

	test('replies that the service refuses do not count as sent', async () => {
		const items = itemsOf(received(await receive(RAW_EMAIL), answerTo('outage@example.org')));
		const reply = async () =>
			await run('message reply', { text: 'Hi' }, { ...items, mode: 'trigger' });
		sandbox.addFault({ method: 'POST', count: 12, answer: { type: 'status', status: 400 } });
		for (let attempt = 0; attempt < 12; attempt++) await reply();
		expect(jsonOf(await reply())).toMatchObject([{ sent: true }]);
	});

	test('all items are checked before the first email is sent', async () => {
		const parameters = { ...EMAIL, subject: '={{ $json.subject }}' };
		const items = itemsOf({ subject: 'Hi' }, { subject: '' }, { subject: 'Hi' });
		expect(await messageOfError('message send', parameters, items)).toMatch(/No other email/);
		expect(posts()).toEqual([]);
	});

	test('emails go one after another, and an error says how many were sent before it', async () => {
		sandbox.addFault({ method: 'POST', skip: 2, answer: { type: 'status', status: 400 } });
		const parameters = { ...EMAIL, subject: '={{ "Hi " + $itemIndex }}' };
		const items = itemsOf({}, {}, {}, {});
		const problem = await messageOfError('message send', parameters, items);
		expect(problem).toMatch(/before this one: 2, and none after it.*again/);
		expect(bodies().map(({ subject }) => subject)).toEqual(['Hi 0', 'Hi 1', 'Hi 2']);
	});

	test('a reply to another email goes to the address in To', async () => {
		const id = await receive(RAW_EMAIL);
		const parameters = {
			emailToAnswer: 'other',
			messageId: id,
			to: 'Colleague <bob@example.org>',
			text: 'Hi',
			options: { identityId: EMAIL.identityId, subject: 'About 17' },
		};
		const [item] = jsonOf(await run('message reply', parameters));
		expect(item).toMatchObject({ sent: true, to: 'bob@example.org', subject: 'About 17' });
		const { inReplyTo, to } = await lastSent();
		expect({ inReplyTo, to }).toEqual({
			inReplyTo: dialect === 'fork' ? '<17@example.org>' : null,
			to: ['bob@example.org'],
		});
	});

	test.each([
		['nothing', '={{ undefined }}', /'Message ID' is empty/],
		['null', '={{ null }}', /'Message ID' is empty/],
		['an object', '={{ $json }}', /'Message ID' is not a text/],
	])('%s as Message ID is an error without a request', async (_, messageId, says) => {
		const parameters = { emailToAnswer: 'other', to: 'a@b.c', text: 'Hi', messageId };
		expect(await messageOfError('message reply', parameters)).toMatch(says);
		expect(requestLines()).toEqual([]);
	});

	test('an email without an ID is answered with a new email', async () => {
		const item = received('', answerTo('ada@example.org'));
		const items = itemsOf({ ...item, delivery: { ...item.delivery, id: null } });
		const [result] = jsonOf(await run('message reply', { text: 'Hi' }, items));
		expect(result).toMatchObject({ sent: true, inConversation: false });
		expect(posts()).toEqual(['POST /email/send']);
	});

	test('Reply fails without From if the email does not name the address that received it', async () => {
		const item = received('x', answerTo('ada@example.org'));
		const items = itemsOf({ ...item, delivery: { id: 'x', recipient: null } });
		const problem = await messageOfError('message reply', { text: 'Hi' }, items);
		expect(problem).toMatch(/Choose 'From' under 'Options'/);
	});

	test.each([
		['no recipient', { to: '={{ "" }}' }, /'To' is empty/],
		['a line break in an address', { to: 'ada@example.org\r\nBcc: eve@example.org' }, /'To'/],
		['no subject', { subject: ' \n ' }, /'Subject' is empty/],
		['no text', { text: '={{ null }}' }, /'Text' is empty/],
		['a file that is missing', { options: { attachments: 'data' } }, /data/],
		['no sender', { identityId: chosen('={{ null }}', 'address') }, /'From'/],
	])('Send with %s is an error without a request', async (_, parameters, says) => {
		expect(await messageOfError('message send', { ...EMAIL, ...parameters })).toMatch(says);
		expect(posts()).toEqual([]);
	});

	test.each<[string, FaultRule]>([
		['500', { answer: { type: 'status', status: 500 } }],
		['502 of a proxy', { answer: { type: 'status', status: 502 }, acts: true }],
		['a broken connection', { answer: { type: 'drop' }, acts: true }],
		['a web page', { answer: { type: 'html' } }],
	])('%s: the email may have been sent, and is not sent again', async (_, rule) => {
		sandbox.addFault({ method: 'POST', ...rule });
		const problem = await messageOfError('message send', EMAIL);
		expect(problem).toMatch(/may have been sent/);
		expect(posts()).toHaveLength(1);
	});

	test('a reply that may have been sent is not sent as a new email', async () => {
		sandbox.addFault({ path: '/email/reply', answer: { type: 'status', status: 500 } });
		const items = itemsOf(received(await receive(RAW_EMAIL), answerTo('ada@example.org')));
		expect(await messageOfError('message reply', { text: 'Hi' }, items)).toMatch(/may have been/);
		expect(posts()).toEqual(['POST /email/reply']);
	});

	test('a busy service gets the email once, later', async () => {
		const headers = { 'retry-after': '0.05' };
		sandbox.addFault({
			method: 'POST',
			count: 2,
			answer: { type: 'status', status: 429, headers },
		});
		jsonOf(await run('message send', EMAIL));
		await sandbox.deliveriesSettled();
		expect(sandbox.sentEmails()).toHaveLength(1);
	});

	test('a service that quotes the text puts none of it into the error', async () => {
		const issues = [
			{ path: 'to', message: 'Invalid email address', code: 'x' },
			{ path: 'text', message: 'Bad: SECRET-TEXT', code: 'x' },
			{ path: 'subject', message: 'Bad: SECRET-TEXT', code: 'x' },
			{ path: 'SECRET-TEXT', message: 'SECRET-TEXT', code: 'x' },
		];
		const message = 'SECRET-TEXT';
		sandbox.addFault({ method: 'POST', answer: { type: 'status', status: 400, message, issues } });
		const problem = await messageOfError('message send', { ...EMAIL, text: 'SECRET-TEXT' });
		expect(problem).toMatch(/'To': Invalid email address.*'Text': is not valid/);
		expect(problem).not.toContain('SECRET-TEXT');
	});

	test('a file of a Code node may lack a type, and have a number as its name', async () => {
		const data = { data: 'aGk=', fileName: 17 };
		const items = [{ json: {}, binary: { data } }] as unknown as INodeExecutionData[];
		jsonOf(await run('message send', { ...EMAIL, options: { attachments: 'data' } }, { items }));
		expect((await simpleParser((await lastSent()).rawEmail)).attachments).toMatchObject([
			{ filename: '17', contentType: 'application/octet-stream' },
		]);
	});

	test('an email that is too large names the limit', async () => {
		const body = { message: 'The limit is 25 MB' };
		sandbox.addFault({ method: 'POST', answer: { type: 'status', status: 413, body } });
		expect(await messageOfError('message send', EMAIL)).toMatch(/too large.*25 MB/);
	});

	test('a service that refuses the key for lack of a right: the error names the right', async () => {
		const error = { code: 'INSUFFICIENT_SCOPE', message: 'x', requiredScopes: ['emails:send'] };
		const body = { data: { error } };
		sandbox.addFault({ method: 'POST', answer: { type: 'status', status: 403, body } });
		expect(await messageOfError('message send', EMAIL)).toMatch(/permission.*emails:send/);
	});
});

describe('in a service that replies', () => {
	useSandbox({ dialect: 'fork' });

	test('a message that is not found is an error, never a new email', async () => {
		const items = itemsOf(received(idOf('sales@example.test'), answerTo('ada@example.org')));
		const problem = await messageOfError('message reply', { text: 'Hi' }, items);
		expect(problem).toMatch(/message was not found/);
		expect(posts()).toEqual(['POST /email/reply']);
	});

	test('a bare 404 is an error, because it may mean the message', async () => {
		const body = 'Not Found';
		sandbox.addFault({ path: '/email/reply', answer: { type: 'status', status: 404, body } });
		const items = itemsOf(received(await receive(RAW_EMAIL), answerTo('ada@example.org')));
		expect(await messageOfError('message reply', { text: 'Hi' }, items)).toMatch(/did not find/);
		expect(posts()).toEqual(['POST /email/reply']);
	});

	test('the first item that fails does not fail the others', async () => {
		const missing = received(idOf('sales@example.test'), answerTo('ada@example.org'));
		const found = received(await receive(RAW_EMAIL), answerTo('ada@example.org'));
		const more = { ...itemsOf(missing, found), onError: 'continueRegularOutput' as const };
		const [first, second] = jsonOf(await run('message reply', { text: 'Hi' }, more));
		expect(first).toHaveProperty('error');
		expect(second).toMatchObject({ inConversation: true });
	});
});

describe('in a service that cannot send', () => {
	useSandbox({ dialect: 'contract' });

	test.each(['send', 'reply'])('Message %s says so', async (operation) => {
		const items = itemsOf(received('x', answerTo('ada@example.org')));
		const problem = await messageOfError(`message ${operation}`, EMAIL, items);
		expect(problem).toMatch(/did not find|cannot send/);
	});
});
