import * as library from 'dns-packet';
import type { Answer } from 'dns-packet';
import fc from 'fast-check';

import {
	encodeQuestion,
	readMessage,
	type Question,
	type Reading,
} from '../../../nodes/EmailIdentity/dns/resolver/packet';

const { decode, encode } = library;

const question: Question<'TXT'> = { name: 'key._domainkey.example.com', type: 'TXT' };

const TRUNCATED = 1 << 9;

/** What a resolver would send, to the question above unless told otherwise. */
function message(
	answers: Answer[],
	{
		rcode = 0,
		flags = 0,
		authorities = [],
		additionals = [],
		asked = [{ name: question.name, type: question.type as 'TXT' | 'A' }],
	}: {
		rcode?: number;
		flags?: number;
		authorities?: Answer[];
		additionals?: Answer[];
		asked?: Array<{ name: string; type: 'TXT' | 'A'; class?: 'CH' }>;
	} = {},
): Buffer {
	return encode({
		type: 'response',
		flags: flags | rcode,
		questions: asked,
		answers,
		authorities,
		additionals,
	});
}

const text = (
	data: string | Buffer | Array<string | Buffer>,
	name = question.name,
	ttl = 60,
): Answer => ({
	name,
	type: 'TXT',
	ttl,
	data,
});

const alias = (name: string, data: string, ttl = 60): Answer => ({
	name,
	type: 'CNAME',
	ttl,
	data,
});

const authority = (ttl: number, minimum: number): Answer => ({
	name: 'example.com',
	type: 'SOA',
	ttl,
	data: { mname: 'ns.example.com', rname: 'hostmaster.example.com', minimum },
});

const readText = (body: Buffer): Reading<'TXT'> => readMessage(body, question, library);

const found = (records: string[], seconds = 60) => ({
	kind: 'fact',
	answer: { status: 'found', records },
	seconds,
});

test('a question has the ID 0, asks for recursion, and is nothing but one question', () => {
	const asked = decode(Buffer.from(encodeQuestion(question, library), 'base64url'));
	expect(asked).toMatchObject({
		id: 0,
		type: 'query',
		flag_rd: true,
		questions: [{ ...question, class: 'IN' }],
		answers: [],
	});
});

describe('what is found', () => {
	test('texts of a record are put together, their bytes kept', () => {
		const bytes = Buffer.from([0, 34, 92, 128, 255]);
		expect(readText(message([text(['v=DKIM1; ', bytes])]))).toEqual(
			found(['v=DKIM1; \0"\\\x80\xff']),
		);
	});

	test('a text that is not there is an empty one', () => {
		expect(readText(message([text([])]))).toEqual(found(['']));
	});

	test('the smallest time to live counts, aliases included', () => {
		const answers = [
			alias(question.name, 'a.example.net', 30),
			text('one', 'a.example.net', 50),
			text('two', 'A.EXAMPLE.net', 40),
		];
		expect(readText(message(answers))).toEqual(found(['one', 'two'], 30));
	});

	test('a time to live with the highest bit set is none (RFC 2181)', () => {
		expect(readText(message([text('one', question.name, 2 ** 31)]))).toEqual(found(['one'], 0));
	});

	test('of other names, types and classes nothing is taken', () => {
		const foreign: Answer[] = [
			text('another name', 'example.com'),
			{ name: question.name, type: 'A', ttl: 60, data: '192.0.2.1' },
			{ ...text('another class'), class: 'CH' } as Answer,
			alias('elsewhere.example.com', 'evil.example.net'),
			text('not reached', 'evil.example.net'),
		];
		expect(readText(message([...foreign, text('ours')]))).toEqual(found(['ours']));
	});

	test.each([
		[
			'MX',
			{ preference: 10, exchange: 'MAIL.Example.com' },
			{ preference: 10, exchange: 'mail.example.com' },
		],
		['MX', { preference: 0, exchange: '.' }, { preference: 0, exchange: '' }],
		[
			'MX',
			{ preference: 1, exchange: 'm\u00fcll \u0007.example' },
			{ preference: 1, exchange: 'm?ll??.example' },
		],
		['NS', 'NS.example.com', 'ns.example.com'],
		['AAAA', '2001:db8::1', '2001:db8::1'],
		['CNAME', 'Other.example.com', 'other.example.com'],
	] as const)('%s %j', (type, data, expected) => {
		const asked: Question = { name: 'example.com', type };
		const body = encode({
			type: 'response',
			questions: [asked],
			answers: [{ name: 'example.com', type, ttl: 1, data } as Answer],
		});
		expect(readMessage(body, asked, library)).toEqual({
			kind: 'fact',
			answer: { status: 'found', records: [expected] },
			seconds: 1,
		});
	});
});

describe('aliases', () => {
	const chain = (length: number) =>
		Array.from({ length }, (_, index) =>
			alias(index === 0 ? question.name : `n${index}.example.com`, `n${index + 1}.example.com`),
		);

	test('are followed, however they are sorted', () => {
		const answers = [text('there', 'n8.example.com'), ...chain(8).reverse()];
		expect(readText(message(answers))).toEqual(found(['there']));
	});

	test.each([
		['too many of them', chain(9)],
		['a circle', [alias(question.name, 'b.example.com'), alias('b.example.com', question.name)]],
		['one for itself', [alias(question.name, question.name)]],
	])('%s: a failure', (_case, answers) => {
		expect(readText(message(answers))).toMatchObject({ kind: 'failure' });
	});

	test('the target is asked for where nothing is said of it', () => {
		expect(readText(message([alias(question.name, 'Far.example.net', 20)]))).toEqual({
			kind: 'alias',
			target: 'far.example.net',
			seconds: 20,
		});
	});
});

describe('what is not there', () => {
	test('no data holds as long as RFC 2308 has it', () => {
		const body = message([], { authorities: [authority(100, 40)] });
		expect(readText(body)).toEqual({ kind: 'fact', answer: { status: 'noData' }, seconds: 40 });
	});

	test('no such name, also behind an alias', () => {
		const answers = [alias(question.name, 'gone.example.net', 10)];
		const body = message(answers, { rcode: 3, authorities: [authority(30, 40)] });
		expect(readText(body)).toEqual({ kind: 'fact', answer: { status: 'noSuchName' }, seconds: 10 });
	});

	test('without the word of whoever it belongs to it is not remembered', () => {
		expect(readText(message([], { rcode: 3 }))).toEqual({
			kind: 'fact',
			answer: { status: 'noSuchName' },
			seconds: 0,
		});
	});
});

describe('what is no fact', () => {
	const referral: Answer = { name: 'com', type: 'NS', ttl: 60, data: 'ns.example.net' };
	const extended: Answer = {
		name: '.',
		type: 'OPT',
		udpPayloadSize: 1232,
		extendedRcode: 1,
		ednsVersion: 0,
		flags: 0,
		flag_do: false,
		options: [],
	};

	test.each([
		['SERVFAIL', message([], { rcode: 2 }), 'answered SERVFAIL'],
		['REFUSED, without the question', message([], { rcode: 5, asked: [] }), 'answered REFUSED'],
		[
			'a code that is continued elsewhere',
			message([], { additionals: [extended] }),
			'answered with an error',
		],
		[
			'a part of the records',
			message([text('v=DKIM1')], { flags: TRUNCATED }),
			'answered in part only',
		],
		[
			'the names of others to ask',
			message([], { authorities: [referral] }),
			'does not look names up',
		],
	])('%s', (_case, body, says) => {
		expect(readText(body)).toEqual({ kind: 'failure', says });
	});

	test.each([
		['a question', encode({ type: 'query', questions: [question] })],
		['another name', message([text('x')], { asked: [{ name: 'example.com', type: 'TXT' }] })],
		['another type', message([text('x')], { asked: [{ name: question.name, type: 'A' }] })],
		['another class', message([], { asked: [{ name: question.name, type: 'TXT', class: 'CH' }] })],
		['no question', message([text('x')], { asked: [] })],
		['two questions', message([text('x')], { asked: [question, question] })],
		['nothing', Buffer.alloc(0)],
		['a web page', Buffer.from('<!doctype html><title>Please log in</title>')],
	])('%s is no answer', (_case, body) => {
		expect(readText(body)).toEqual({ kind: 'unreadable' });
	});
});

describe('whatever the bytes are', () => {
	const whole = message(
		[
			alias(question.name, 'a.example.net'),
			text(['v=DKIM1; p=', 'x'.repeat(200)], 'a.example.net'),
		],
		{ authorities: [authority(60, 60)] },
	);

	test('it is read without a throw, and quickly', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
				expect(['failure', 'unreadable']).toContain(readText(Buffer.from(bytes)).kind);
			}),
		);
	});

	test('a message that broke off is none', () => {
		for (let length = 0; length < whole.length; length++) {
			expect({ length, ...readText(whole.subarray(0, length)) }).toEqual({
				length,
				kind: 'unreadable',
			});
		}
	});

	test('changed anywhere, it gives nothing but texts of the right shape', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
				(changes) => {
					const body = Buffer.from(whole);
					for (const [offset, byte] of changes) body[offset] = byte;
					const reading = readText(body);
					if (reading.kind === 'fact' && reading.answer.status === 'found') {
						for (const record of reading.answer.records) expect(record).toMatch(/^[\0-\xff]*$/);
					}
					if ('seconds' in reading) expect(reading.seconds).toBeGreaterThanOrEqual(0);
				},
			),
			{ numRuns: 2000 },
		);
	});

	test('names that point to names that point to names are not followed for each of thousands of records', () => {
		const body = Buffer.alloc(65_535);
		whole.copy(body);
		body.writeUInt16BE(5_000, 6);
		expect(readText(body)).toEqual({ kind: 'unreadable' });
	});
});
