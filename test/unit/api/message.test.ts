import type { IDataObject } from 'n8n-workflow';

import { readMessage, type ServiceMessage } from '../../../nodes/EmailIdentity/api/message';
import {
	LONGEST_HEADERS_JSON,
	MOST_ADDRESSES,
	MOST_ATTACHMENTS,
	MOST_HEADERS,
	readMessageFields,
} from '../../../nodes/EmailIdentity/api/messageFields';
import { MOST_FIELDS } from '../../../nodes/EmailIdentity/api/messageNames';
import { unwrapObject } from '../../../nodes/EmailIdentity/api/envelope';
import { readEmail } from '../../reading';

const RAW_EMAIL = ['From: a@example.com', 'Subject: Hi', '', 'Hello'].join('\r\n');

/** The documented email that workflows get for what the service sent. */
async function emailOf(source: IDataObject) {
	const { id, rawEmail, message } = readMessage(source);
	const { email } = await readEmail(rawEmail, () => readMessageFields(message), {
		attachments: true,
		headers: true,
		binaryPrefix: 'attachment_',
	});
	return { id, ...email };
}

const MESSAGE = { id: 'm-1', subject: 'Hi' };
const WHOLE: ServiceMessage = { id: 'm-1', message: MESSAGE, rawEmail: RAW_EMAIL };

describe('one message, however it is sent', () => {
	test.each<[string, IDataObject, ServiceMessage]>([
		['as a delivery brings it', { message: MESSAGE, rawEmail: RAW_EMAIL }, WHOLE],
		[
			'with the raw email in the message object',
			{ ...MESSAGE, raw_email: RAW_EMAIL },
			{ ...WHOLE, message: { ...MESSAGE, raw_email: RAW_EMAIL } },
		],
		['without a raw email', MESSAGE, { ...WHOLE, rawEmail: undefined }],
		['with an empty raw email', { message: MESSAGE, rawEmail: '' }, { ...WHOLE, rawEmail: '' }],
		[
			'without an ID',
			{ message: { id: '' }, rawEmail: RAW_EMAIL },
			{ id: null, message: { id: '' }, rawEmail: RAW_EMAIL },
		],
		[
			'with a number as its ID',
			{ id: 7, eml: 5 },
			{ id: '7', message: { id: 7, eml: 5 }, rawEmail: undefined },
		],
	])('%s', (_how, source, expected) => {
		expect(readMessage(source)).toEqual(expected);
	});

	test.each<[string, unknown]>([
		['bare', { message: MESSAGE, rawEmail: RAW_EMAIL }],
		['in {data}', { data: { message: MESSAGE, rawEmail: RAW_EMAIL } }],
		['in {success, data}', { success: true, data: { message: MESSAGE, rawEmail: RAW_EMAIL } }],
		['beside success', { success: true, message: MESSAGE, raw_email: RAW_EMAIL }],
	])('an answer shaped like a delivery, %s, keeps its raw email', (_how, body) => {
		const unwrapped = unwrapObject(body, 'message');
		expect(readMessage('value' in unwrapped ? unwrapped.value : {})).toEqual(WHOLE);
	});

	test('a message object in an envelope stays the message object', () => {
		expect(unwrapObject({ success: true, message: MESSAGE }, 'message')).toEqual({
			value: MESSAGE,
		});
	});
});

const observed = {
	id: 'c0ffee00-0000-4000-8000-000000000001',
	messageId: '<m@example.com>',
	inReplyTo: null,
	references: '<r1@example.com> <r2@example.com>',
	subject: 'Observed',
	text: 'Text\r\n',
	html: '',
	from: {
		text: 'Ann <ann@example.com>',
		html: '',
		value: [{ name: 'Ann', address: 'ann@example.com' }],
	},
	to: { text: '', html: '', value: [{ name: '', address: 'bob@example.org' }] },
	cc: null,
	replyTo: [],
	date: '2026-11-21T08:40:51.391Z',
	headersJson: '{"received":["one","two"],"subject":"Observed"}',
	hasAttachments: false,
};

test('a message object as observed', async () => {
	const email = await emailOf(observed);
	expect(email).toMatchObject({
		thread: {
			id: '<r1@example.com>',
			messageId: '<m@example.com>',
			inReplyTo: null,
			references: ['<r1@example.com>', '<r2@example.com>'],
		},
		subject: 'Observed',
		from: { name: 'Ann', address: 'ann@example.com' },
		to: [{ name: '', address: 'bob@example.org' }],
		cc: [],
		date: '2026-11-21T08:40:51.391Z',
		text: 'Text',
		html: null,
		headers: { received: ['one', 'two'], subject: ['Observed'] },
		parsed: false,
	});
});

test('a message object in snake_case, with addresses as text and the body apart', async () => {
	const message = {
		id: '9',
		message_id: '<m@example.com>',
		in_reply_to: '<r@example.com>',
		from_address: 'Ann <ann@example.com>',
		to: ['bob@example.org', 'Carl <carl@example.org>'],
		reply_to: { email: 'r@example.com', name: 'R' },
		created_at: '2025-11-15 10:47:23.60418+00',
		body: { html: '<p>Hi</p>', text: 'Hi' },
		headers: [{ name: 'X-A', value: '1' }],
		attachments: [{ filename: '../a.pdf', content_type: 'application/PDF', size: 5 }],
	};
	const email = await emailOf(message);
	expect(email).toMatchObject({
		thread: {
			messageId: '<m@example.com>',
			inReplyTo: '<r@example.com>',
			replyTo: [{ name: 'R', address: 'r@example.com' }],
		},
		from: { name: 'Ann', address: 'ann@example.com' },
		to: [
			{ name: '', address: 'bob@example.org' },
			{ name: 'Carl', address: 'carl@example.org' },
		],
		date: '2025-11-15T10:47:23.604Z',
		text: 'Hi',
		html: '<p>Hi</p>',
		headers: { 'x-a': ['1'] },
		attachments: [
			{ fileName: 'a.pdf', mimeType: 'application/pdf', size: 5, binaryProperty: null },
		],
	});
});

test.each(['rawEmail', 'raw_email', 'raw'])('the raw email is found as %s', async (field) => {
	const email = await emailOf({ id: '9', [field]: RAW_EMAIL });
	expect(email).toMatchObject({ id: '9', subject: 'Hi', text: 'Hello' });
	expect(email).not.toHaveProperty('parsed');
});

test.each([
	{},
	{
		id: 5,
		from: 3,
		to: true,
		headers: 'no json',
		attachments: {},
		date: 'never',
		text: {},
		body: [],
	},
	{ from: [[[{ value: [{ group: [{ address: 'a@b' }] }] }]]], to: null, references: [null, 7] },
])('a message object of any shape does not break the reading: %j', async (message) => {
	const email = await emailOf(message);
	expect(email.parsed).toBe(false);
	expect(email.date).toBeNull();
});

const DEPTH = 100_000;
const nested = (open: string, close: string) =>
	JSON.parse(`${open.repeat(DEPTH)}"a@example.com"${close.repeat(DEPTH)}`) as unknown;

test.each<[string, unknown]>([
	['lists', nested('[', ']')],
	['groups', nested('{"group":', '}')],
	['values in lists', nested('[{"value":', '}]')],
])('addresses %s deep are given up, and nothing is thrown', async (_what, from) => {
	const message = { id: 'm-1', from, references: from, subject: 'Deep' } as IDataObject;
	expect(await emailOf(message)).toMatchObject({
		from: null,
		thread: { references: [] },
		subject: 'Deep',
	});
});

test.each([
	[{ id: 'm1', _id: 'internal' }, 'm1'],
	[{ _id: 'internal', id: 'm1' }, 'm1'],
	[{ _id: 'm1' }, 'm1'],
])('the ID of %j is %p', (message, id) => {
	expect(readMessage(message).id).toBe(id);
});

describe('what no honest message has is cut', () => {
	const many = <T>(length: number, make: (index: number) => T) =>
		Array.from({ length }, (_, index) => make(index));
	const last = (index: number) => `${index - 1}`;

	test('fields behind the thousandth', () => {
		const others = Object.fromEntries(
			many(MOST_FIELDS - 1, (index) => [`other_${index}`, 1] as const),
		);
		const { subject, text } = readMessageFields({ ...others, subject: 'Hi', text: 'Hello' });
		expect([subject, text]).toEqual(['Hi', '']);
	});

	test('names of fields of more than a hundred characters', () => {
		const named = (length: number) => ({ [`${'_'.repeat(length - 7)}subject`]: 'Hi' });
		expect(readMessageFields(named(100)).subject).toBe('Hi');
		expect(readMessageFields(named(101)).subject).toBe('');
	});

	const values = many(MOST_HEADERS + 1, String);
	test.each<[string, unknown]>([
		['in a list', values.map((value) => ({ name: 'Received', value }))],
		['by their names', Object.fromEntries(values.map((value) => [`x-${value}`, value]))],
		['under one name', { received: values }],
		['under two names', { received: values.slice(0, 10), 'x-more': values.slice(10) }],
		['as JSON', JSON.stringify({ received: values })],
	])('headers behind the five thousandth, %s', (_how, headers) => {
		const read = readMessageFields({ headers } as IDataObject).headers;
		expect(read).toHaveLength(MOST_HEADERS);
		expect(read.at(-1)?.value).toBe(last(MOST_HEADERS));
	});

	test('headers in JSON of more than a million characters', () => {
		const json = (length: number) => `{"x-a":"b"${' '.repeat(length - 11)}}`;
		const headersIn = (headersJson: string) => readMessageFields({ headersJson }).headers;
		expect(headersIn(json(LONGEST_HEADERS_JSON))).toEqual([{ key: 'x-a', value: 'b' }]);
		expect(headersIn(json(LONGEST_HEADERS_JSON + 1))).toEqual([]);
	});

	const addresses = many(MOST_ADDRESSES + 1, String);
	test.each<[string, unknown]>([
		['as texts', addresses],
		['in lists', [addresses.slice(0, 10), addresses.slice(10)]],
		['in a group', { group: addresses }],
	])('addresses behind the ten thousandth, %s', (_how, to) => {
		const read = readMessageFields({ to } as IDataObject).to;
		expect(read).toHaveLength(MOST_ADDRESSES);
		expect(read.at(-1)).toBe(last(MOST_ADDRESSES));
	});

	test('files behind the two thousandth', () => {
		const attachments = many(MOST_ATTACHMENTS + 1, (index) => ({ name: `${index}` }));
		const read = readMessageFields({ attachments }).attachments;
		expect(read).toHaveLength(MOST_ATTACHMENTS);
		expect(read.at(-1)?.fileName).toBe(last(MOST_ATTACHMENTS));
	});
});
