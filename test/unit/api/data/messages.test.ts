import type { IDataObject } from 'n8n-workflow';

import {
	readMessage,
	readMessageFields,
	readMessagePlace,
	type ServiceMessage,
} from '../../../../nodes/EmailIdentity/api/data/messages';
import { SERVICE_LIMITS } from '../../../../nodes/EmailIdentity/api/data/json';
import { readResource } from '../../../../nodes/EmailIdentity/api/requests/envelopes';

const RAW_EMAIL = ['From: a@example.com', 'Subject: Hi', '', 'Hello'].join('\r\n');
const MESSAGE = { id: 'm-1', subject: 'Hi' };
const WHOLE: ServiceMessage = { id: 'm-1', message: MESSAGE, rawEmail: RAW_EMAIL };

test.each<[string, IDataObject, ServiceMessage]>([
	['as a delivery brings it', { message: MESSAGE, rawEmail: RAW_EMAIL }, WHOLE],
	['in snake_case', { message: MESSAGE, raw_email: RAW_EMAIL }, WHOLE],
	[
		'with the raw email in the message object',
		{ ...MESSAGE, rawEmail: RAW_EMAIL },
		{ ...WHOLE, message: { ...MESSAGE, rawEmail: RAW_EMAIL } },
	],
	['without a raw email', MESSAGE, { ...WHOLE, rawEmail: undefined }],
	['with an empty raw email', { message: MESSAGE, rawEmail: '' }, { ...WHOLE, rawEmail: '' }],
	[
		'with an empty raw email beside it, and one within it',
		{ message: { ...MESSAGE, rawEmail: RAW_EMAIL }, rawEmail: '' },
		{ ...WHOLE, message: { ...MESSAGE, rawEmail: RAW_EMAIL } },
	],
	[
		'without an ID',
		{ message: { id: '' }, rawEmail: 5 },
		{ id: null, message: { id: '' }, rawEmail: undefined },
	],
])('a message is read %s', (_how, source, expected) => {
	expect(readMessage(source)).toEqual(expected);
});

test.each<[string, unknown]>([
	['bare', { message: MESSAGE, rawEmail: RAW_EMAIL }],
	['in {success, data}', { success: true, data: { message: MESSAGE, rawEmail: RAW_EMAIL } }],
])('an answer shaped like a delivery, %s, keeps its raw email', (_how, body) => {
	const found = readResource({ status: 200, text: JSON.stringify(body) }, 'message');
	expect(readMessage('value' in found ? found.value : {})).toEqual(WHOLE);
});

test('the fields of a message as a running service sends it', () => {
	const address = (name: string, address: string) => ({
		text: `${name} <${address}>`,
		html: '',
		value: [{ name, address }],
	});
	const fields = readMessageFields({
		id: 'c0ffee00-0000-4000-8000-000000000001',
		messageId: '<m@example.com>',
		inReplyTo: null,
		references: ['<r1@example.com>', '<r2@example.com>'],
		subject: 'Observed',
		text: 'Text',
		html: '',
		from: address('Ann', 'ann@example.com'),
		to: { text: '', value: [{ name: 'Team', group: [{ name: '', address: 'bob@example.org' }] }] },
		cc: null,
		replyTo: [],
		date: '2026-11-21T08:40:51.391Z',
		headersJson: {
			Received: ['one', 'two'],
			from: { text: 'Ann <ann@example.com>' },
			'content-type': { value: 'text/plain' },
			list: {
				id: { name: 'Team', id: 'team.example.com' },
				unsubscribe: { mail: 'off@example.com' },
				post: 'NO',
			},
		},
	});
	expect(fields).toEqual({
		messageId: '<m@example.com>',
		inReplyTo: '',
		references: '<r1@example.com> <r2@example.com>',
		subject: 'Observed',
		text: 'Text',
		html: '',
		from: [{ name: 'Ann', address: 'ann@example.com' }],
		to: [{ name: '', address: 'bob@example.org' }],
		cc: [],
		replyTo: [],
		date: '2026-11-21T08:40:51.391Z',
		headers: [
			{ key: 'received', value: 'one' },
			{ key: 'received', value: 'two' },
			{ key: 'from', value: 'Ann <ann@example.com>' },
			{ key: 'content-type', value: 'text/plain' },
			{ key: 'list-id', value: 'Team team.example.com' },
			{ key: 'list-unsubscribe', value: 'off@example.com' },
			{ key: 'list-post', value: 'NO' },
		],
	});
});

test('the fields of a message in snake_case, with JSON as text and files as a fork lists them', () => {
	const fields = readMessageFields({
		message_id: '<m@example.com>',
		in_reply_to: '<r@example.com>',
		from: 'Ann <ann@example.com>',
		to: ['bob@example.org', { name: 'Carl', address: 'carl@example.org' }],
		created_at: '2025-11-15 10:47:23.60418+00',
		headers_json: '{"x-a":"1"}',
		attachments: [
			{ filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 5, cid: '<1>' },
			{ is_inline: true },
		],
	});
	expect(fields).toMatchObject({
		messageId: '<m@example.com>',
		inReplyTo: '<r@example.com>',
		from: ['Ann <ann@example.com>'],
		to: ['bob@example.org', { name: 'Carl', address: 'carl@example.org' }],
		date: '2025-11-15T10:47:23.604Z',
		headers: [{ key: 'x-a', value: '1' }],
		attachments: [
			{ fileName: 'a.pdf', mimeType: 'application/pdf', size: 5, inline: false, contentId: '1' },
			{ fileName: null, mimeType: null, size: 0, inline: true, contentId: null },
		],
	});
});

test.each<[string, unknown]>([
	['{}', {}],
	['other types', { from: 3, to: true, headersJson: 'no json', attachments: {}, date: 'never' }],
	['names of prototypes', { headersJson: JSON.parse('{"__proto__":{"a":"b"}}') as unknown }],
	['deep lists', { from: JSON.parse(`${'['.repeat(1e5)}"a@b"${']'.repeat(1e5)}`) as unknown }],
	['deep groups', { to: JSON.parse(`${'{"group":'.repeat(1e5)}1${'}'.repeat(1e5)}`) as unknown }],
])('a message with %s is read', (_what, message) => {
	const { from, to, date } = readMessageFields(message as IDataObject);
	expect([from, to, date]).toEqual([[], [], null]);
});

const MANY = ['1', '2', '3', '4', '5'];

test.each<['headers' | 'to' | 'attachments', object]>([
	['headers', { headersJson: Object.fromEntries(MANY.map((value) => [`x-${value}`, value])) }],
	['headers', { headersJson: JSON.stringify({ received: MANY }) }],
	['to', { to: MANY }],
	['to', { to: { group: [MANY.slice(0, 2), MANY.slice(2)] } }],
	['attachments', { attachments: MANY.map((filename) => ({ filename })) }],
] as const)('entries beyond the limit are left out of %s', (field, message) => {
	const limits = { ...SERVICE_LIMITS, entriesOfField: 4 };
	const fields = readMessageFields(message as IDataObject, limits);
	expect(fields[field]).toHaveLength(4);
});

test('a JSON text of headers is read up to the last header that ends within the limit', () => {
	const { field } = SERVICE_LIMITS;
	const last = { list: { 'x-of-list': ['a', 'b'] }, 'x-b': 'a, "quoted"\\' };
	const headersOf = (length: number) => {
		const headers = { 'x-a': '', ...last };
		headers['x-a'] = 'a'.repeat(length - JSON.stringify(headers).length);
		return readMessageFields({ headersJson: JSON.stringify(headers) }).headers;
	};
	expect(headersOf(field).map(({ key }) => key)).toEqual([
		'x-a',
		'x-b',
		'list-x-of-list',
		'list-x-of-list',
	]);
	expect(headersOf(field + 1).map(({ key }) => key)).toEqual([
		'x-a',
		'list-x-of-list',
		'list-x-of-list',
	]);
	expect(headersOf(2 * field)).toEqual([]);
});

test('a field is read up to the limit, but for the text and the HTML', () => {
	const long = 'a'.repeat(SERVICE_LIMITS.field + 1);
	const { subject, from, text, html } = readMessageFields({
		subject: long,
		from: long,
		text: long,
		html: long,
	});
	expect([subject, from[0]]).toEqual([long.slice(1), long.slice(1)]);
	expect([text, html]).toEqual([long, long]);
});

test('a header field with 300,000 values is read up to the limit', () => {
	const received = Array<string>(300_000).fill('from a.example');
	const { headers } = readMessageFields({ headers: { received } });
	expect(headers).toHaveLength(SERVICE_LIMITS.entriesOfField);
});

test.each<[string, object, object]>([
	['nothing', {}, {}],
	['a draft', { draft: true }, { isDraft: true }],
	['a state', { state: 'Spam' }, { state: 'spam' }],
	[
		'an IMAP account',
		{ metaData: { imap: { mailboxPath: 'INBOX.Sent', uid: 7, flags: ['\\Draft', '$Junk'] } } },
		{ folders: ['INBOX.Sent'], flags: ['\\Draft', '$Junk'] },
	],
	[
		'metadata in snake_case, as JSON text',
		{ meta_data: '{"imap":{"mailbox_path":"Junk"}}' },
		{ folders: ['Junk'] },
	],
	[
		'a Gmail account',
		{ metaData: { gmail: { labelIds: ['SENT', 'Label_7'] } } },
		{ labels: ['SENT', 'LABEL_7'] },
	],
	['metadata of another kind', { metaData: { imap: 'INBOX', gmail: ['SENT'] } }, {}],
	['metadata that are no JSON', { metaData: '{"imap":' }, {}],
])('the place of a message with %s', (_what, message, expected) => {
	const nowhere = { isDraft: false, state: '', folders: [], labels: [], flags: [] };
	expect(readMessagePlace(message as never)).toEqual({ ...nowhere, ...expected });
});
