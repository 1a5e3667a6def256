import { deflateSync, gzipSync } from 'node:zlib';

import {
	received,
	startDeliveryHost,
	type TriggerHost,
	type PostOptions,
} from './support/deliveries';

let host: TriggerHost;

beforeEach(async () => {
	host = await startDeliveryHost();
});

const bodies = JSON.stringify(received('m-1', { subject: 'Grüße 🎉' }));

test.each([
	'application/json',
	'text/plain;charset=UTF-8',
	'application/x-www-form-urlencoded',
	'nonsense',
	null,
])('a delivery with the content type %s starts the workflow', async (contentType) => {
	const answer = await host.post(bodies, { contentType });

	expect(answer.status).toBe(200);
	expect(host.started()).toMatchObject([
		[[{ json: { delivery: { id: 'm-1' }, subject: 'Grüße 🎉' } }]],
	]);
});

test.each<[string, Buffer, Record<string, string>]>([
	['a byte order mark', Buffer.from(`\uFEFF${bodies}`), {}],
	['gzip', gzipSync(bodies), { 'content-encoding': 'gzip' }],
	['deflate', deflateSync(bodies), { 'content-encoding': 'deflate' }],
	['blanks around it', Buffer.from(`\n ${bodies} \n`), {}],
])('a body with %s is read', async (_what, body, headers) => {
	await host.post(body, { contentType: null, headers });

	expect(host.started()).toMatchObject([[[{ json: { subject: 'Grüße 🎉' } }]]]);
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each<[charset: string, subject: string, encode: (text: string) => Buffer]>([
	['iso-8859-1', 'Grüße', latin1],
	[
		'windows-1252',
		'5 € – ok',
		(text) => latin1(text.replaceAll('€', '\x80').replaceAll('–', '\x96')),
	],
	['utf-16', 'Grüße 🎉', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
	['utf-16le', 'Grüße 🎉', (text) => Buffer.from(text, 'utf16le')],
	['koi8-r', '\u043f', (text) => latin1(text.replaceAll('\u043f', '\u00d0'))],
	['no-such-charset', 'Grüße 🎉', (text) => Buffer.from(text)],
])('a body in %s is decoded', async (charset, subject, encode) => {
	const data = { message: { id: subject, subject }, rawEmail: '' };
	const body = encode(JSON.stringify({ event: 'message.received', data }));
	await host.post(body, { contentType: `application/octet-stream; charset=${charset}` });

	expect(host.started()).toMatchObject([[[{ json: { delivery: { id: subject }, subject } }]]]);
});

test('the event matches in any case, and further fields are allowed', async () => {
	const { data } = received('m-1');
	const body = { event: 'Message.Received', version: 3, data: { ...data, identity: { a: [1] } } };
	await host.post(body);

	expect(host.started()).toHaveLength(1);
});

const GZIP = { 'content-encoding': 'gzip' };

test.each<[string, unknown, PostOptions?]>([
	['nothing', ''],
	['an empty body without a content type', '', { contentType: null }],
	['an empty form', '', { contentType: 'application/x-www-form-urlencoded' }],
	['what is not compressed as it says', 'plain', { contentType: null, headers: GZIP }],
	['blanks', ' \n '],
	['broken JSON', '{"event":'],
	['text', 'hello'],
	['an array', '[]'],
	['a string', '"message.received"'],
])('%s is answered 400 with a reason', async (_what, body, options = {}) => {
	const answer = await host.post(body, options);

	expect(answer.status).toBe(400);
	expect(await answer.json()).toMatchObject({
		status: 'refused',
		message: expect.stringMatching(/^(The body|"data|"event)/),
	});
	expect(host.outcomes).toEqual([{}]);
	expect(host.staticData).toEqual({});
});
