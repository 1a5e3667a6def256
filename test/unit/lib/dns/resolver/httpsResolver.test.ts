import { decode, encode, type Answer } from 'dns-packet';

import type { Fetched, FetchBytes } from '../../../../../lib/dns/resolver/dnsOverHttps';
import { DNS_LIMITS, DnsMemory } from '../../../../../lib/dns/resolver/dnsMemory';
import {
	HttpsResolver,
	LIMITS_OF_AN_EMAIL,
	type DnsResolverOptions,
	type QueryLimits,
} from '../../../../../lib/dns/resolver/httpsResolver';
import { check, signed, ZONES } from '../../proof/support/senders';
import { createZoneResolver } from '../support/zoneResolver';

const [FIRST, SECOND] = ['https://first.example/dns-query', 'https://second.example/dns-query'];

interface Message {
	/** TXT records. */
	texts?: Array<string[] | string>;
	ttl?: number;
	rcode?: number;
	authorities?: Answer[];
	headers?: Record<string, string>;
}

type Received = Extract<Fetched, { status: number }>;

/** Answers the question in a URL. */
function message(url: string, written: Message): Received {
	const { name, type } = questionIn(url);
	const { texts = [], ttl = 60, rcode = 0, authorities = [], headers = {} } = written;
	const answers = texts.map((data) => ({ name, type: 'TXT' as const, ttl, data }));
	const questions = [{ name, type }];
	const body = encode({ type: 'response', flags: rcode, questions, answers, authorities });
	const ofMessage = { 'content-type': 'application/dns-message', ...headers };
	return { status: 200, body, isWhole: true, headers: ofMessage };
}

function questionIn(url: string) {
	const asked = new URL(url).searchParams.get('dns') ?? '';
	return decode(Buffer.from(asked, 'base64url')).questions![0]!;
}

type Reply = (url: string) => Fetched | Promise<Fetched>;

const reply =
	(written: Message): Reply =>
	(url) =>
		message(url, written);
const text = (data: string, ttl = 60, headers = {}) => reply({ texts: [data], ttl, headers });
const servfail = reply({ rcode: 2 });
const timedOut: Reply = () => ({ failure: 'took too long to answer', isTimeout: true });
const down: Reply = () => ({ failure: 'cannot be reached', isTimeout: false });
const spoiled =
	(changes: Partial<Received>): Reply =>
	(url) => ({ ...message(url, {}), ...changes });
const status = (code: number) => spoiled({ status: code });
const never: Reply = async () => await new Promise(() => {});

/** Resolvers by their address, each with its answers in order, of which the last is repeated; and what they were asked. */
function scripted(replies: Record<string, Reply[]>, limits = DNS_LIMITS) {
	const asked: string[] = [];
	const timeouts: number[] = [];
	const fetchBytes: FetchBytes = async (url, { timeout }) => {
		const address = url.slice(0, url.indexOf('?'));
		const left = replies[address] ?? [];
		asked.push(`${new URL(address).host.split('.', 1)[0]} ${questionIn(url).name}`);
		timeouts.push(timeout);
		return await ((left.length > 1 ? left.shift() : left[0]) ?? down)(url);
	};
	const memory = new DnsMemory(limits);
	const addresses = Object.keys(replies);
	type Others = Partial<DnsResolverOptions>;
	const create = (limits: QueryLimits = {}, after = withoutWaiting, others: Others = {}) =>
		new HttpsResolver({ fetchBytes, addresses, limits, ...others }, memory, after);
	const ask = async (name = 'example.com', ...parameters: Parameters<typeof create>) =>
		await create(...parameters).ask(name, 'TXT');
	return { ask, asked, timeouts, create };
}

const found = (data: string) => ({ status: 'found', records: [data] });

/** Waits no time for a pause, and for ever for the end of the patience. */
const withoutWaiting = async (milliseconds: number) =>
	milliseconds >= LIMITS_OF_AN_EMAIL.patience ? await new Promise<void>(() => {}) : undefined;

/** Lets time pass on n8n's clock. */
function letPass(seconds: number): void {
	const now = performance.now() + seconds * 1000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
}

afterEach(() => jest.restoreAllMocks());

test.each(['', '.', 'a..b', `${'a'.repeat(64)}.com`, 'a b.com', 'a.'.repeat(128)])(
	'an invalid name is not queried (%j)',
	async (name) => {
		const { ask, asked } = scripted({ [FIRST]: [text('x')] });
		expect(await ask(name)).toEqual({ status: 'noSuchName' });
		expect(asked).toEqual([]);
	},
);

describe('the next resolver is queried', () => {
	test.each([
		['answers SERVFAIL', servfail, 'first'],
		['answers with an error of HTTP', status(403), 'second'],
		['cannot be reached', down, 'second'],
		['takes too long', timedOut, 'first'],
		['waits in vain behind a gateway', status(504), 'first'],
		['sends a web page', spoiled({ headers: { 'content-type': 'text/html' } }), 'second'],
		['sends more than is read', spoiled({ isWhole: false }), 'second'],
		['has hundreds of records', reply({ texts: Array<string>(300).fill('x') }), 'first'],
	])(
		'when the first one %s; later queries start with the first one if the domain may be the cause',
		async (_case, failing, next) => {
			const { ask, asked } = scripted({ [FIRST]: [failing, text('one')], [SECOND]: [text('two')] });
			expect(await ask('a.example')).toEqual(found('two'));
			expect(await ask('b.example')).toEqual(found(next === 'first' ? 'one' : 'two'));
			expect(asked).toEqual(['first a.example', 'second a.example', `${next} b.example`]);
		},
	);

	test('unless the first one answers that the name does not exist', async () => {
		const { ask, asked } = scripted({ [FIRST]: [reply({ rcode: 3 })], [SECOND]: [text('two')] });
		expect(await ask()).toEqual({ status: 'noSuchName' });
		expect(asked).toHaveLength(1);
	});

	test('first for half a minute if the other is down, and sooner if the other timed out', async () => {
		const { ask, asked, timeouts } = scripted({
			[FIRST]: [down, timedOut, text('one')],
			[SECOND]: [text('two')],
		});
		await ask('a.example');
		await ask('b.example');
		letPass(31);
		await ask('c.example');
		await ask('d.example');
		expect(asked.map((question) => question.split(' ')[0]).join(' ')).toBe(
			'first second second first second first',
		);
		expect(timeouts[3]).toBeGreaterThan(2000);
		expect(timeouts[5]).toBeLessThanOrEqual(1000);
	});
});

test('the reason of a failure names hosts, but not the rest of their URLs', async () => {
	const secret = 'https://third.example/a-secret-profile';
	const { ask } = scripted({ [FIRST]: [status(403)], [secret]: [servfail] });
	expect(await ask()).toEqual({
		status: 'failed',
		reason: 'first.example answered with HTTP status 403; third.example answered SERVFAIL',
	});
	expect(await scripted({ [FIRST]: [down] }).ask()).toMatchObject({ status: 'failed' });
});

describe('a cached answer', () => {
	const nothing = (minimum: number) => {
		const data = { mname: 'ns.example.com', rname: 'hostmaster.example.com', minimum };
		return reply({ authorities: [{ name: 'example.com', type: 'SOA', ttl: 10_000, data }] });
	};

	test.each<[string, Reply, number]>([
		['its time to live', text('old', 100), 100],
		['an hour at most', text('old', 1_000_000), 3600],
		['less where a cache has held it', text('old', 100, { age: '60' }), 40],
		['as its owner says where there is nothing', nothing(30), 30],
		['five minutes at most where there is nothing', nothing(9000), 300],
		['no time where the DNS failed', servfail, 0],
	])('is kept for %s', async (_what, first, seconds) => {
		const { ask } = scripted({ [FIRST]: [first, text('new')] });
		const old = await ask();
		if (seconds > 0) {
			letPass(seconds - 1);
			expect(await ask('EXAMPLE.com')).toEqual(old);
			letPass(2);
		}
		expect(await ask()).toEqual(found('new'));
	});

	test('is not used for other resolvers', async () => {
		const { create } = scripted({ [FIRST]: [text('one')], [SECOND]: [text('two')] });
		const ask = async (address: string) =>
			await create({}, withoutWaiting, { addresses: [address] }).ask('example.com', 'TXT');
		expect(await ask(FIRST)).toEqual(found('one'));
		expect(await ask(SECOND)).toEqual(found('two'));
	});

	test('is dropped when the memory is full', async () => {
		const room = { ...DNS_LIMITS, memory: 7000 };
		const { ask, asked } = scripted({ [FIRST]: [text('short'), text('x'.repeat(250))] }, room);
		await ask('short.example');
		for (let index = 0; index < 7; index++) await ask(`n${index}.example`);
		await ask('short.example');
		await ask('n6.example');
		expect(asked).toHaveLength(8);
		for (let index = 7; index < 20; index++) await ask(`n${index}.example`);
		await ask('short.example');
		expect(asked).toHaveLength(22);
	});

	test('is shared by equal queries at the same time', async () => {
		const { ask, asked } = scripted({ [FIRST]: [text('one')] });
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await ask()));
		expect(answers).toEqual(Array(20).fill(found('one')));
		expect(asked).toHaveLength(1);
	});

	test('does not exist after a fault', async () => {
		const fault: Reply = () => {
			throw new Error('fault');
		};
		const { ask } = scripted({ [FIRST]: [fault, text('one')] });
		expect(await ask()).toMatchObject({ status: 'failed' });
		expect(await ask()).toEqual(found('one'));
	});
});

describe('the patience for an email', () => {
	test.each([
		['SERVFAIL', servfail],
		['no answer', down],
	])('a query is repeated after %s until there is an answer', async (_what, failure) => {
		const { ask, asked } = scripted({ [FIRST]: [failure, failure, text('one')] });
		expect(await ask('example.com', LIMITS_OF_AN_EMAIL)).toEqual(found('one'));
		expect(asked).toHaveLength(3);
	});

	test('ends with the reason of the last failure, or as a timeout', async () => {
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		const after = async (milliseconds: number) => {
			if (milliseconds >= LIMITS_OF_AN_EMAIL.patience) await ended;
		};
		const failing = scripted({ [FIRST]: [servfail, never] });
		const silent = scripted({ [FIRST]: [never] });
		const answers = [
			failing.ask('example.com', LIMITS_OF_AN_EMAIL, after),
			silent.ask('example.com', LIMITS_OF_AN_EMAIL, after),
		];
		while (failing.asked.length < 2) await Promise.resolve();
		end();
		const [failed, unanswered] = await Promise.all(answers);
		expect(failed).toMatchObject({ reason: expect.stringContaining('SERVFAIL') });
		expect(unanswered).toMatchObject({ reason: expect.stringContaining('in time') });
	});

	test('an email asks and waits little, however many names it contains', async () => {
		const { create, asked } = scripted({ [FIRST]: [servfail] });
		const waits: number[] = [];
		const resolver = create(LIMITS_OF_AN_EMAIL, async (milliseconds) => {
			waits.push(milliseconds);
			await withoutWaiting(milliseconds);
		});
		const names = Array.from({ length: 100 }, (_, index) => `d${index}.example`);
		await Promise.all(names.map(async (name) => await resolver.ask(name, 'TXT')));
		expect(asked.length).toBeLessThanOrEqual(50);
		expect(waits[0]).toBeLessThanOrEqual(10_000);
	});
});

describe('a genuine email, while 200 emails wait for DNS servers that never answer', () => {
	/** Answers out of zones; what is slow gets no answer at all. */
	async function checkBeside(slowName: (email: number, question: number) => string) {
		const zones = createZoneResolver(ZONES);
		const memory = new DnsMemory();
		let underWay = 0;
		const fetchBytes: FetchBytes = async (url) => {
			underWay++;
			const { name } = questionIn(url);
			if (name.includes('slow')) await new Promise(() => {});
			const answer = await zones.ask(name, 'TXT');
			const records = answer.status === 'found' ? answer.records : [];
			const texts = records.map((record) => record.match(/[^]{1,255}/g) ?? []);
			return message(url, { rcode: answer.status === 'noSuchName' ? 3 : 0, texts });
		};
		const options = { limits: LIMITS_OF_AN_EMAIL, fetchBytes, addresses: [FIRST ?? ''] };
		const resolverOfAnEmail = () => new HttpsResolver(options, memory, withoutWaiting);
		for (let email = 0; email < 200; email++) {
			const resolver = resolverOfAnEmail();
			for (let question = 0; question < 10; question++) {
				void resolver.ask(slowName(email, question), 'TXT');
			}
		}
		const { authentication } = await check(signed(), {}, { resolver: resolverOfAnEmail() });
		return { result: authentication.result, underWay };
	}

	test.each<[string, (email: number, question: number) => string, number]>([
		['each has its own domain', (email, question) => `s${question}.slow${email}.example`, 1000],
		['all are in one', (email, question) => `s${question}-${email}.slow.example`, 50],
	])('is checked, although %s', async (_what, slowName, most) => {
		const { result, underWay } = await checkBeside(slowName);
		expect(result).toBe('pass');
		expect(underWay).toBeLessThan(most);
	});
});

test.each([0, -1, NaN])('a limit of %d is refused', (limit) => {
	for (const name of Object.keys(DNS_LIMITS)) {
		expect(() => new DnsMemory({ ...DNS_LIMITS, [name]: limit })).toThrow(RangeError);
	}
	const { create } = scripted({});
	for (const name of Object.keys(LIMITS_OF_AN_EMAIL)) {
		expect(() => create({ [name]: limit })).toThrow(RangeError);
	}
});

test('an audit has a bounded number of concurrent queries, and none after its execution was cancelled', async () => {
	const answer: Array<() => void> = [];
	const slow: Reply = async (url) => {
		await new Promise<void>((resolve) => answer.push(resolve));
		return await text('x')(url);
	};
	const { create, asked } = scripted({ [FIRST]: [slow] });
	const execution = new AbortController();
	const resolver = create({ maxConcurrentQuestions: 3 }, withoutWaiting, {
		signal: execution.signal,
	});
	const names = Array.from({ length: 9 }, (_, index) => `d${index}.example`);
	const answers = names.map(async (name) => await resolver.ask(name, 'TXT'));
	while (answer.length < 3) await Promise.resolve();
	expect(asked).toHaveLength(3);
	execution.abort();
	answer.forEach((resolve) => resolve());
	await Promise.all(answers);
	expect(asked).toHaveLength(3);
});
