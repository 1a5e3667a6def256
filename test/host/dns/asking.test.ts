import type { IncomingHttpHeaders } from 'node:http';

import { createDnsResolver } from '../../../nodes/EmailIdentity/dns/httpsResolver';
import { brokenOff, json, reset, text, trickle, type Answer } from '../api/scriptedServer';
import { contextWith, records, resolverWith, servfail, textRecord } from './scriptedResolver';

const NAME = 'example.com';

const found = (...texts: string[]) => ({ status: 'found', records: texts });

/** Never answers. */
const silent: Answer = () => {};

/** Sends for ever. */
const endless: Answer = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/dns-message' });
	const send = () => {
		while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
	};
	response.on('drain', send);
	send();
};

/** More than a key or a policy ever has, so that they are not read. */
const manyTexts: Parameters<typeof records>[0] = ({ name }) =>
	Array.from({ length: 300 }, () => ({ name, type: 'TXT', ttl: 60, data: 'hello' }));

const redirect: Answer = (_request, response) =>
	void response.writeHead(302, { location: 'http://127.0.0.1:1/dns-query' }).end();

afterEach(() => jest.restoreAllMocks());

/** Lets time pass on n8n's clock. */
function letPass(seconds: number): void {
	const now = Date.now() + seconds * 1000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
}

/** Asks several resolvers, with little patience. */
function ask(addresses: string[], name = NAME, patience = 1500) {
	return createDnsResolver(contextWith(), { addresses, patience }).ask(name, 'TXT');
}

describe('the request', () => {
	test('is a GET as in RFC 8484, behind what the address holds already, and tells nothing else', async () => {
		let headers: IncomingHttpHeaders = {};
		const resolver = await resolverWith((request, response) => {
			({ headers } = request);
			textRecord('hello')(request, response);
		});
		expect(await ask([`${resolver.address}?user=7`])).toEqual(found('hello'));
		expect(resolver.requests).toEqual([
			expect.stringMatching(/^GET \/a-secret-profile\/dns-query\?user=7&dns=[\w-]+$/),
		]);
		expect(headers).toMatchObject({ accept: 'application/dns-message', host: resolver.host });
		const told = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
		expect(Object.keys(headers).filter((name) => !told.includes(name))).toEqual([]);
	});

	test('is not sent for a name that cannot be', async () => {
		const resolver = await resolverWith(textRecord('hello'));
		for (const name of [
			'',
			'.',
			'a..b',
			`${'a'.repeat(64)}.com`,
			'm\u00fcll.de',
			'a b.com',
			'a.'.repeat(128),
		]) {
			expect(await ask([resolver.address], name)).toEqual({ status: 'noSuchName' });
		}
		expect(resolver.requests).toEqual([]);
	});
});

describe('the next resolver is asked', () => {
	test.each([
		['answers SERVFAIL', servfail],
		['answers with an error of HTTP', text('no', 500)],
		['has too much to do', text('no', 429, { 'retry-after': '1' })],
		[
			'answers with a web page',
			text('<title>Log in</title>', 200, { 'content-type': 'text/html' }),
		],
		['speaks JSON', json({ Status: 0, Answer: [] })],
		['leads elsewhere', redirect],
		['answers nonsense', text('nonsense', 200, { 'content-type': 'application/dns-message' })],
		['breaks the connection', reset],
		['breaks off its answer', brokenOff],
		['sends without an end', endless],
		['sends a byte now and then', trickle],
		['never answers', silent],
	])('when the first one %s', async (_case, answer) => {
		const first = await resolverWith(answer);
		const second = await resolverWith(textRecord('hello'));
		expect(await ask([first.address, second.address])).toEqual(found('hello'));
		expect(first.names()).toEqual([NAME]);
	});

	test('not when the first one knows that there is nothing', async () => {
		const first = await resolverWith(records(() => [], { rcode: 3 }));
		const second = await resolverWith(textRecord('hello'));
		expect(await ask([first.address, second.address])).toEqual({ status: 'noSuchName' });
		expect(second.requests).toEqual([]);
	});

	test('first from then on, for half a minute, when one is down', async () => {
		const first = await resolverWith(reset, textRecord('from the first'));
		const second = await resolverWith(textRecord('from the second'));
		const addresses = [first.address, second.address];
		expect(await ask(addresses, 'one.example.com')).toEqual(found('from the second'));
		expect(await ask(addresses, 'two.example.com')).toEqual(found('from the second'));
		expect(first.names()).toEqual(['one.example.com']);
		letPass(31);
		expect(await ask(addresses, 'three.example.com')).toEqual(found('from the first'));
	});

	test.each([
		['fails', servfail],
		['is slow', silent],
		['is too slow for what stands before the resolver', text('Bad Gateway', 502)],
		['is too slow for who hands the question on', text('Gateway Timeout', 504)],
		['has hundreds of records', records(manyTexts)],
	])('not first because a domain of somebody else %s', async (_case, answer) => {
		const first = await resolverWith(answer, textRecord('from the first'));
		const second = await resolverWith(textRecord('from the second'));
		const addresses = [first.address, second.address];
		expect(await ask(addresses, 'broken.example.com')).toEqual(found('from the second'));
		expect(await ask(addresses, 'two.example.com')).toEqual(found('from the first'));
	});

	test('not first because an execution was cancelled', async () => {
		const execution = new AbortController();
		let close = () => {};
		const closed = new Promise<void>((resolve) => (close = resolve));
		const cancelling: Answer = (request) => {
			request.socket.on('close', close);
			execution.abort();
		};
		const first = await resolverWith(cancelling, textRecord('from the first'));
		const second = await resolverWith(textRecord('from the second'));
		const addresses = [first.address, second.address];
		const cancelled = createDnsResolver(contextWith(execution.signal), { addresses });
		await expect(cancelled.ask(NAME, 'TXT')).rejects.toThrow('cancelled');
		await closed;
		expect(await ask(addresses, 'two.example.com')).toEqual(found('from the first'));
	});

	test('soon when the first one did not answer the question before', async () => {
		const first = await resolverWith(silent);
		const second = await resolverWith(textRecord('from the second'));
		const addresses = [first.address, second.address];
		expect(await ask(addresses, 'one.example.com')).toEqual(found('from the second'));
		expect(await ask(addresses, 'two.example.com', 120_000)).toEqual(found('from the second'));
		expect(first.names()).toEqual(['one.example.com', 'two.example.com']);
	});
});

describe('when none knows', () => {
	test('the reason names hosts, and nothing else of the addresses', async () => {
		const [first, second] = [await resolverWith(text('no', 403)), await resolverWith(servfail)];
		expect(await ask([first.address, second.address])).toEqual({
			status: 'serverFailure',
			reason: `${first.host} answered with HTTP status 403; ${second.host} answered SERVFAIL`,
		});
	});

	test('that none can be asked is something else', async () => {
		const first = await resolverWith(reset);
		const answer = await ask([first.address, 'http://127.0.0.1:1/dns-query']);
		expect(answer).toEqual({
			status: 'unreachable',
			reason: `${first.host} broke the connection; 127.0.0.1:1 cannot be reached`,
		});
	});

	test('neither is remembered', async () => {
		const failing = await resolverWith(servfail, reset, textRecord('again'));
		expect(await ask([failing.address])).toMatchObject({ status: 'serverFailure' });
		expect(await ask([failing.address])).toMatchObject({ status: 'unreachable' });
		expect(await ask([failing.address])).toEqual(found('again'));
	});
});

describe('what is known', () => {
	test('is not asked again until it expires', async () => {
		const resolver = await resolverWith(textRecord('old', 100), textRecord('new', 100));
		expect(await ask([resolver.address])).toEqual(found('old'));
		letPass(99);
		expect(await ask([resolver.address], NAME.toUpperCase())).toEqual(found('old'));
		letPass(2);
		expect(await ask([resolver.address])).toEqual(found('new'));
	});

	test('expires after an hour, whatever its time to live', async () => {
		const resolver = await resolverWith(textRecord('old', 1_000_000), textRecord('new', 100));
		await ask([resolver.address]);
		letPass(3601);
		expect(await ask([resolver.address])).toEqual(found('new'));
	});

	test('was held by a cache on the way for a while already', async () => {
		const resolver = await resolverWith(textRecord('old', 100, { age: '60' }), textRecord('new'));
		await ask([resolver.address]);
		letPass(41);
		expect(await ask([resolver.address])).toEqual(found('new'));
	});

	test('that there is nothing is asked again after the time that its owner sets, and after five minutes', async () => {
		const nothing = (minimum: number) =>
			records(() => [], {
				authorities: [
					{
						name: NAME,
						type: 'SOA',
						ttl: 10_000,
						data: { mname: `ns.${NAME}`, rname: `hostmaster.${NAME}`, minimum },
					},
				],
			});
		const resolver = await resolverWith(nothing(30), nothing(9000), textRecord('new'));
		await ask([resolver.address]);
		letPass(31);
		await ask([resolver.address]);
		letPass(299);
		expect(await ask([resolver.address])).toEqual({ status: 'noData' });
		letPass(2);
		expect(await ask([resolver.address])).toEqual(found('new'));
	});

	test('is not what was asked of other resolvers', async () => {
		const [one, other] = [
			await resolverWith(textRecord('one')),
			await resolverWith(textRecord('other')),
		];
		expect(await ask([one.address])).toEqual(found('one'));
		expect(await ask([other.address])).toEqual(found('other'));
	});

	test('is not changed by whoever was told', async () => {
		const resolver = await resolverWith(textRecord('hello'));
		const first = await ask([resolver.address]);
		if (first.status === 'found') first.records.push('more');
		expect(await ask([resolver.address])).toEqual(found('hello'));
	});
});

describe('an alias whose target the resolver says nothing of', () => {
	test('is followed', async () => {
		const resolver = await resolverWith(
			records(({ name }) => [{ name, type: 'CNAME', ttl: 60, data: 'target.example.net' }]),
			textRecord('there'),
		);
		expect(await ask([resolver.address])).toEqual(found('there'));
		expect(resolver.names()).toEqual([NAME, 'target.example.net']);
	});

	test.each([
		['in a circle', ({ name }: { name: string }) => (name === NAME ? 'b.example.com' : NAME)],
		['without an end', ({ name }: { name: string }) => `n.${name}`],
	])('is not followed %s', async (_case, next) => {
		const resolver = await resolverWith(
			records((question) => [
				{ name: question.name, type: 'CNAME', ttl: 60, data: next(question) },
			]),
		);
		expect(await ask([resolver.address])).toMatchObject({ status: 'serverFailure' });
		expect(resolver.requests.length).toBeLessThan(10);
	});
});

describe('questions at the same time', () => {
	/** A resolver that answers when told to. */
	async function patientResolver() {
		const waiting: Array<() => void> = [];
		let arrived = () => {};
		const resolver = await resolverWith((request, response) => {
			waiting.push(() => textRecord('hello')(request, response));
			arrived();
		});
		return {
			...resolver,
			waiting,
			until: async (count: number) => {
				while (waiting.length < count) await new Promise<void>((resolve) => (arrived = resolve));
			},
			answerAll: () => waiting.splice(0).forEach((answer) => answer()),
		};
	}

	test('that are equal are asked once, also by several workflows', async () => {
		const resolver = await patientResolver();
		const asking = Array.from({ length: 20 }, async () => await ask([resolver.address]));
		await resolver.until(1);
		resolver.answerAll();
		expect(await Promise.all(asking)).toEqual(Array(20).fill(found('hello')));
		expect(resolver.requests).toHaveLength(1);
	});

	test('are no more than the bound; the others wait for their turn, however long that is', async () => {
		const resolver = await patientResolver();
		const dns = createDnsResolver(contextWith(), {
			addresses: [resolver.address],
			maxConcurrentQuestions: 3,
			patience: 5000,
		});
		const names = Array.from({ length: 9 }, (_, index) => `n${index}.example.com`);
		const asking = names.map(async (name) => await dns.ask(name, 'TXT'));
		for (let answered = 0; answered < 9; answered += 3) {
			await resolver.until(3);
			expect(resolver.waiting).toHaveLength(3);
			resolver.answerAll();
		}
		expect(await Promise.all(asking)).toEqual(Array(9).fill(found('hello')));
		expect(resolver.names().sort()).toEqual(names);
	});
});

describe('a cancelled execution', () => {
	/** A resolver that never answers, and tells when a question came and when its connection ended. */
	async function watchedResolver() {
		let [arrive, close] = [() => {}, () => {}];
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const closed = new Promise<void>((resolve) => (close = resolve));
		const answers: Array<() => void> = [];
		const resolver = await resolverWith((request, response) => {
			request.socket.on('close', close);
			answers.push(() => textRecord('hello')(request, response));
			arrive();
		});
		return { ...resolver, arrived, closed, answer: () => answers.forEach((answer) => answer()) };
	}

	const askWith = (signal: AbortSignal, address: string) =>
		createDnsResolver(contextWith(signal), { addresses: [address], patience: 60_000 }).ask(
			NAME,
			'TXT',
		);

	test('waits no longer, and its question ends', async () => {
		const resolver = await watchedResolver();
		const execution = new AbortController();
		const asking = askWith(execution.signal, resolver.address);
		await resolver.arrived;
		execution.abort();
		await expect(asking).rejects.toThrow('The execution was cancelled');
		await resolver.closed;
	});

	test('asks nothing', async () => {
		const resolver = await watchedResolver();
		await expect(askWith(AbortSignal.abort(), resolver.address)).rejects.toThrow('cancelled');
		expect(resolver.requests).toEqual([]);
	});

	test('leaves the question to others who wait for the same answer', async () => {
		const resolver = await watchedResolver();
		const execution = new AbortController();
		const cancelled = askWith(execution.signal, resolver.address);
		const other = ask([resolver.address], NAME, 60_000);
		await resolver.arrived;
		execution.abort();
		await expect(cancelled).rejects.toThrow('cancelled');
		resolver.answer();
		expect(await other).toEqual(found('hello'));
	});
});

test('of an answer without an end little is read', async () => {
	let sent = 0;
	let close = () => {};
	const closed = new Promise<void>((resolve) => (close = resolve));
	const resolver = await resolverWith((request, response) => {
		request.socket.on('close', () => {
			sent = request.socket.bytesWritten;
			close();
		});
		endless(request, response);
	});
	expect(await ask([resolver.address])).toEqual({
		status: 'unreachable',
		reason: `${resolver.host} answered with too much`,
	});
	await closed;
	expect(sent).toBeLessThan(32 * 1024 * 1024);
});
