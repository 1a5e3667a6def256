import { deflateSync, gzipSync } from 'node:zlib';

import { mail, received, startDeliveryHost, type DeliveryHost } from './deliveries';

let host: DeliveryHost;

beforeEach(async () => {
	host = await startDeliveryHost();
});

afterEach(async () => {
	await host.stop();
});

const bodies = JSON.stringify(received('m-1', { subject: 'Grüße 🎉' }));

test.each([
	{ contentType: 'application/json' },
	{ contentType: 'application/json; charset=utf-8' },
	{ contentType: 'text/plain;charset=UTF-8' },
	{ contentType: 'text/plain' },
	{ contentType: 'text/html' },
	{ contentType: 'application/octet-stream' },
	{ contentType: 'application/x-www-form-urlencoded' },
	{ contentType: 'application/vnd.event+json' },
	{ contentType: 'nonsense' },
	{ contentType: null },
])('starts the workflow under the content type $contentType', async ({ contentType }) => {
	const answer = await host.post(bodies, { contentType });

	expect(answer.status).toBe(200);
	expect(host.started()).toMatchObject([
		[[{ json: { delivery: { id: 'm-1' }, subject: 'Grüße 🎉' } }]],
	]);
});

test.each<{ what: string; body: Buffer; headers: Record<string, string> }>([
	{ what: 'a byte order mark', body: Buffer.from(`\uFEFF${bodies}`), headers: {} },
	{ what: 'gzip', body: gzipSync(bodies), headers: { 'content-encoding': 'gzip' } },
	{ what: 'deflate', body: deflateSync(bodies), headers: { 'content-encoding': 'deflate' } },
	{ what: 'blanks around it', body: Buffer.from(`\n ${bodies} \n`), headers: {} },
	{
		what: 'utf-16',
		body: Buffer.from(bodies, 'utf16le'),
		headers: { 'content-type': 'application/octet-stream; charset=utf-16le' },
	},
])('reads a body with $what', async ({ body, headers }) => {
	const answer = await host.post(body, { contentType: null, headers });

	expect(answer.status).toBe(200);
	expect(host.started()).toHaveLength(1);
	expect(host.started()[0]?.[0]?.[0]?.json.subject).toBe('Grüße 🎉');
});

const WINDOWS_1252: Record<string, string> = { '„': '\x84', '€': '\x80', '“': '\x93', '–': '\x96' };

test.each<{ charset: string; subject: string; encode: (text: string) => Buffer }>([
	{ charset: 'iso-8859-1', subject: 'Grüße', encode: (text) => Buffer.from(text, 'latin1') },
	{ charset: 'windows-1252', subject: 'Grüße', encode: (text) => Buffer.from(text, 'latin1') },
	{
		charset: 'windows-1252',
		subject: '„5 €“ – ok',
		encode: (text) =>
			Buffer.from(
				text.replace(/[„€“–]/g, (character) => WINDOWS_1252[character] ?? ''),
				'latin1',
			),
	},
	{ charset: 'utf-16', subject: 'Grüße 🎉', encode: (text) => Buffer.from(text, 'utf16le') },
	{
		charset: 'utf-16',
		subject: 'Grüße 🎉',
		encode: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
	},
	{
		charset: 'koi8-r',
		subject: '\u043f',
		encode: (text) => Buffer.from(text.replaceAll('\u043f', '\u00d0'), 'latin1'),
	},
	{ charset: 'no-such-charset', subject: 'Grüße 🎉', encode: (text) => Buffer.from(text) },
])('decodes a body in $charset', async ({ charset, subject, encode }) => {
	const body = encode(
		JSON.stringify({
			...received('m-1'),
			data: { message: { id: subject, subject }, rawEmail: '' },
		}),
	);
	const answer = await host.post(body, {
		contentType: `application/octet-stream; charset=${charset}`,
	});

	expect(answer.status).toBe(200);
	expect(host.started()[0]?.[0]?.[0]?.json).toMatchObject({
		delivery: { id: subject },
		subject,
	});
});

test('an event is the one asked for in any case of its letters', async () => {
	const answer = await host.post({ ...received('m-1'), event: 'Message.Received' });

	expect(answer.status).toBe(200);
	expect(host.started()).toHaveLength(1);
});

test('welcomes fields that it does not know', async () => {
	const { event, data } = received('m-1');
	const answer = await host.post({ event, version: 3, data: { ...data, identity: { a: [1] } } });

	expect(answer.status).toBe(200);
	expect(host.started()).toHaveLength(1);
});

const message = { id: 'm-1' };
const rawEmail = mail();

test.each([
	['nothing', ''],
	['blanks', ' \n '],
	['broken JSON', '{"event":'],
	['text', 'hello'],
	['an array', '[]'],
	['null', 'null'],
	['a number', '7'],
	['a string', '"message.received"'],
	['no event', { data: { message, rawEmail } }],
	['an event that is no string', { event: 5, data: { message, rawEmail } }],
	['an empty event', { event: '', data: { message, rawEmail } }],
	['no data', { event: 'message.received' }],
	['data that is an array', { event: 'message.received', data: [message, rawEmail] }],
	['data that is null', { event: 'message.received', data: null }],
	['no message', { event: 'message.received', data: { rawEmail } }],
	['a message that is text', { event: 'message.received', data: { message: 'm-1', rawEmail } }],
	['no raw email', { event: 'message.received', data: { message } }],
	['a raw email that is no string', { event: 'message.received', data: { message, rawEmail: {} } }],
])('refuses %s with 400 and a reason', async (_what, body) => {
	const answer = await host.post(body);

	expect(answer.status).toBe(400);
	expect(await answer.json()).toMatchObject({
		status: 'refused',
		message: expect.stringMatching(/^(The body|"data|"event)/),
	});
	expect(host.outcomes).toEqual([{}]);
	expect(host.staticData).toEqual({});
});

test.each([null, 'application/octet-stream', 'application/x-www-form-urlencoded'])(
	'refuses an empty body under the content type %s',
	async (contentType) => {
		const answer = await host.post('', { contentType });

		expect(answer.status).toBe(400);
		expect(host.outcomes).toEqual([{}]);
	},
);

test('refuses a body that is not what its content encoding says', async () => {
	const answer = await host.post('plain', {
		contentType: null,
		headers: { 'content-encoding': 'gzip' },
	});

	expect(answer.status).toBe(400);
	expect(host.outcomes).toEqual([{}]);
});

test.each(['message.sent', 'message.bounced', 'something.else'])(
	'ignores the event %s, whatever its data are',
	async (event) => {
		const answer = await host.post({ event, data: { anything: true } });

		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual({ status: 'ignored', reason: 'event' });
		expect(host.started()).toEqual([]);
	},
);

test('nothing of a delivery reaches the log', async () => {
	await host.post(received('m-1', { subject: 'A secret subject', text: 'A secret text' }));
	await host.post('{"a secret": tru');
	await host.post({ event: 'a secret event', data: { rawEmail: 'a secret text' } });

	expect(JSON.stringify(host.logLines())).not.toMatch(/secret/i);
});
