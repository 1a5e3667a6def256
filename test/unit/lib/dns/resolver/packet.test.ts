import * as library from 'dns-packet';
import type { Answer } from 'dns-packet';
import fc from 'fast-check';

import {
	encodeQuestion,
	readDnsMessage,
	type Question,
} from '../../../../../lib/dns/resolver/packet';

const { decode, encode } = library;

const NAME = 'key._domainkey.example.com';
const question: Question = { name: NAME, type: 'TXT' };
const NXDOMAIN = 3;

/** What a resolver would send, to the question above unless told otherwise. */
const message = (answers: Answer[], { rcode = 0, flags = 0, ...more }: Partial<Sent> = {}) =>
	encode({ type: 'response', flags: flags | rcode, questions: [question], answers, ...more });

interface Sent {
	rcode: number;
	flags: number;
	authorities: Answer[];
	questions: Question[];
}

const record = (type: 'CNAME' | 'TXT', name: string, ttl: number, data: unknown) =>
	({ name, type, ttl, data }) as Answer;

const text = (data: string | Array<Buffer | string>, name = NAME, ttl = 60) =>
	record('TXT', name, ttl, data);

const alias = (name: string, data: string, ttl = 60) => record('CNAME', name, ttl, data);

const chain = (length: number) =>
	Array.from({ length }, (_, at) =>
		alias(at === 0 ? NAME : `n${at}.example.com`, `n${at + 1}.example.com`),
	);

/** Says how long it may be remembered that there is nothing. */
const authority = (ttl: number, minimum: number): Answer => ({
	name: 'example.com',
	type: 'SOA',
	ttl,
	data: { mname: 'ns.example.com', rname: 'hostmaster.example.com', minimum },
});

const read = (body: Buffer) => readDnsMessage(body, question, library);

const answered = (answer: object, seconds: number) => ({ answer, seconds });
const found = (records: string[], seconds = 60) => answered({ status: 'found', records }, seconds);
const nothing = (status: string, seconds: number) => answered({ status }, seconds);

test('a query has the ID 0, asks for recursion, and contains one question', () => {
	const asked = decode(Buffer.from(encodeQuestion(question, library), 'base64url'));
	expect(asked).toMatchObject({
		id: 0,
		type: 'query',
		flag_rd: true,
		answers: [],
		questions: [{ ...question, class: 'IN' }],
	});
});

const NO_RECURSION = { failure: 'does not resolve names' };
const OTHER_SERVERS: Answer = { name: 'com', type: 'NS', ttl: 60, data: 'ns.example.net' };
const PIECES = ['v=DKIM1; ', Buffer.from([0, 34, 92, 0xc3]), Buffer.from([0xbc, 255])];
const OF_OTHERS: Answer[] = [
	text('another name', 'example.com'),
	{ name: NAME, type: 'A', ttl: 60, data: '192.0.2.1' },
	alias('elsewhere.example.com', 'evil.example.net'),
	text('not reached', 'evil.example.net'),
];
const GONE = { rcode: NXDOMAIN, authorities: [authority(30, 40)] };
const asking = (...questions: Question[]) => message([text('x')], { questions });

test.each([
	[
		'texts of a record are joined, in UTF-8',
		message([text(PIECES)]),
		found(['v=DKIM1; \0"\\ü\ufffd']),
	],
	['a text that is not there is an empty one', message([text([])]), found([''])],
	[
		'the smallest time to live counts, aliases included',
		message([alias(NAME, 'a.test', 30), text('1', 'a.test', 50), text('2', 'A.test', 40)]),
		found(['1', '2'], 30),
	],
	['other names and types are left out', message([...OF_OTHERS, text('ours')]), found(['ours'])],
	[
		'aliases are followed, however they are sorted',
		message([text('there', 'n8.example.com'), ...chain(8).reverse()]),
		found(['there']),
	],
	['an alias that was not followed fails', message([alias(NAME, 'far.example.net')]), NO_RECURSION],
	['the names of servers fail', message([], { authorities: [OTHER_SERVERS] }), NO_RECURSION],
	[
		'no data is remembered as RFC 2308 has it',
		message([], { authorities: [authority(100, 40)] }),
		nothing('noData', 40),
	],
	[
		'no such name, behind an alias',
		message([alias(NAME, 'a', 10)], GONE),
		nothing('noSuchName', 10),
	],
	[
		'no such name, without the word of its domain, is not remembered',
		message([], { rcode: NXDOMAIN }),
		nothing('noSuchName', 0),
	],
	['SERVFAIL is a failure', message([], { rcode: 2 }), { failure: 'answered SERVFAIL' }],
	[
		'REFUSED is one, without the question',
		message([], { rcode: 5, questions: [] }),
		{ failure: 'answered REFUSED' },
	],
	[
		'a part of the records is a failure',
		message([text('v=DKIM1')], { flags: library.TRUNCATED_RESPONSE }),
		{ failure: 'answered only in part' },
	],
	['a question is no answer', encode({ type: 'query', questions: [question] }), undefined],
	['an answer about another name is none', asking({ name: 'b.example', type: 'TXT' }), undefined],
	['an answer about another type is none', asking({ name: NAME, type: 'A' }), undefined],
	['an answer about two questions is none', asking(question, question), undefined],
	['a web page is no answer', Buffer.from('<!doctype html><title>Log in</title>'), undefined],
])('%s', (_what, body, reading) => {
	expect(read(body)).toEqual(reading);
});

test.each([
	['MX', { preference: 10, exchange: 'MAIL.b' }, '10 mail.b'],
	['MX', { preference: 0, exchange: '.' }, '0 .'],
	['MX', { preference: 1, exchange: 'ü \u0007.b' }, '1 ???.b'],
	['NS', 'NS.example.com', 'ns.example.com'],
	['AAAA', '2001:db8::1', '2001:db8::1'],
	['CNAME', 'Other.example.com', 'other.example.com'],
] as const)('%s %j is read as %j', (type, data, record) => {
	const name = 'example.com';
	const answers = [{ name, type, ttl: 1, data } as Answer];
	const body = encode({ type: 'response', questions: [{ name, type }], answers });
	expect(readDnsMessage(body, { name, type }, library)).toEqual(found([record], 1));
});

describe('an invalid message', () => {
	const whole = message(
		[alias(NAME, 'a.example.net'), text(['v=DKIM1; p=', 'x'.repeat(200)], 'a.example.net')],
		{ authorities: [authority(60, 60)] },
	);

	test('is not read if its end is missing', () => {
		const lengths = Array.from(whole, (_, length) => length);
		expect(lengths.filter((length) => read(whole.subarray(0, length)) !== undefined)).toEqual([]);
	});

	test('contains only text if any bytes were changed', () => {
		const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
				const body = Buffer.from(whole);
				for (const [offset, byte] of changes) body[offset] = byte;
				const { answer, seconds } = { answer: undefined, seconds: 0, ...read(body) };
				const records = answer?.status === 'found' ? answer.records : [];
				for (const record of records) expect(record).toEqual(expect.any(String));
				expect(seconds).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 2000 },
		);
	});

	test('is not read if it has thousands of records', () => {
		const body = Buffer.alloc(65_535);
		whole.copy(body);
		body.writeUInt16BE(5_000, 6);
		expect(read(body)).toBeUndefined();
	});
});
