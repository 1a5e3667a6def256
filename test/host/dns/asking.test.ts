import type { IncomingHttpHeaders } from 'node:http';

import { askDns } from '../../../nodes/EmailIdentity/shared/dnsRequests';
import { brokenOff, reset, text, type Answer } from '../api/scriptedServer';
import { contextWith, resolverWith, servfail, textRecord } from './scriptedResolver';

const NAME = 'example.com';

const found = (...texts: string[]) => ({ status: 'found', records: texts });

/** Sends for ever. */
const endless: Answer = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/dns-message' });
	const send = () => {
		while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
	};
	response.on('drain', send);
	send();
};

const redirect: Answer = (_request, response) =>
	void response.writeHead(302, { location: 'http://127.0.0.1:1/dns-query' }).end();

const ask = async (addresses: string[]) =>
	await askDns(contextWith(), { addresses }).ask(NAME, 'TXT');

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
});

test.each([
	['answers SERVFAIL', servfail],
	['answers with an error of HTTP', text('no', 429, { 'retry-after': '1' })],
	['answers with a web page', text('<title>Log in</title>', 200, { 'content-type': 'text/html' })],
	['redirects', redirect],
	['answers nonsense', text('nonsense', 200, { 'content-type': 'application/dns-message' })],
	['breaks the connection', reset],
	['breaks off its answer', brokenOff],
])('the next resolver is asked when the first one %s', async (_case, answer) => {
	const first = await resolverWith(answer);
	const second = await resolverWith(textRecord('hello'));
	expect(await ask([first.address, second.address])).toEqual(found('hello'));
	expect(first.names()).toEqual([NAME]);
});

test('where none can be asked, each is named with the cause', async () => {
	const first = await resolverWith(reset);
	expect(await ask([first.address, 'http://127.0.0.1:1/dns-query'])).toEqual({
		status: 'unreachable',
		reason: expect.stringMatching(`^${first.host} .+; 127.0.0.1:1 cannot be reached$`),
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
	expect(await ask([resolver.address])).toMatchObject({ status: 'unreachable' });
	await closed;
	expect(sent).toBeLessThan(32 * 1024 * 1024);
});

describe('a cancelled execution', () => {
	/** A resolver that answers when told to, and tells when a question came. */
	async function heldResolver() {
		let arrive = () => {};
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const answers: Array<() => void> = [];
		const resolver = await resolverWith((request, response) => {
			answers.push(() => textRecord('hello')(request, response));
			arrive();
		});
		return { ...resolver, arrived, answer: () => answers.forEach((answer) => answer()) };
	}

	const askWith = async (signal: AbortSignal, address: string) =>
		await askDns(contextWith(signal), { addresses: [address] }).ask(NAME, 'TXT');

	test('asks nothing', async () => {
		const resolver = await heldResolver();
		await expect(askWith(AbortSignal.abort(), resolver.address)).rejects.toThrow('cancelled');
		expect(resolver.requests).toEqual([]);
	});

	test('waits no longer, and leaves the question to others who wait for the same answer', async () => {
		const resolver = await heldResolver();
		const execution = new AbortController();
		const cancelled = askWith(execution.signal, resolver.address);
		const other = ask([resolver.address]);
		await resolver.arrived;
		execution.abort();
		await expect(cancelled).rejects.toThrow('cancelled');
		resolver.answer();
		expect(await other).toEqual(found('hello'));
		expect(resolver.requests).toHaveLength(1);
	});
});
