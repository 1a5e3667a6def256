import type { IncomingHttpHeaders } from 'node:http';

import { decode, encode } from 'dns-packet';

import { askDns } from '../../../../nodes/EmailIdentity/shared/reading/dnsAccess';
import { serve } from '../../api/support/connection';
import { brokenOff, reset, text, type Answer } from '../../api/support/scriptedServer';
import { actionNode } from '../../operations/support/operation';
import { executeContext } from '../../support';

const NAME = 'example.com';
const TYPE = 'application/dns-message';

const FOUND = { status: 'found', records: ['hello'] };

/** A resolver that answers like this; its address is told to nobody else. */
async function resolverWith(answer: Answer) {
	const { origin, requests } = await serve(answer);
	const address = `${origin}/a-secret-profile/dns-query`;
	return { address, host: new URL(origin).host, requests };
}

/** Answers every question with one text. */
const hello: Answer = (request, response) => {
	const asked = new URL(request.url ?? '', 'http://resolver').searchParams.get('dns') ?? '';
	const { questions } = decode(Buffer.from(asked, 'base64url'));
	const answers = [{ name: NAME, type: 'TXT' as const, ttl: 60, data: 'hello' }];
	const body = encode({ type: 'response', questions, answers });
	response.writeHead(200, { 'content-type': TYPE }).end(body);
};

const redirect: Answer = (_request, response) =>
	void response.writeHead(302, { location: 'http://127.0.0.1:1/dns-query' }).end();

const ask = async (addresses: string[], signal?: AbortSignal) => {
	const context = executeContext({ type: actionNode, signal });
	return await askDns(context, { addresses, limits: {} }).ask(NAME, 'TXT');
};

test("a query is a GET (RFC 8484) that keeps the resolver's path and query and sends no other data", async () => {
	let headers: IncomingHttpHeaders = {};
	const { address, host, requests } = await resolverWith((request, response) => {
		({ headers } = request);
		hello(request, response);
	});
	expect(await ask([`${address}?user=7`])).toEqual(FOUND);
	expect(requests).toEqual([
		expect.stringMatching(/^GET \/a-secret-profile\/dns-query\?user=7&dns=[\w-]+$/),
	]);
	expect(headers).toMatchObject({ accept: TYPE, host });
	const told = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
	expect(Object.keys(headers).filter((name) => !told.includes(name))).toEqual([]);
});

test.each([
	['redirects', redirect],
	['answers nonsense', text('nonsense', 200, { 'content-type': TYPE })],
	['breaks the connection', reset],
	['breaks off its answer', brokenOff],
])('the next resolver is queried when the first one %s', async (_case, answer) => {
	const first = await resolverWith(answer);
	const second = await resolverWith(hello);
	expect(await ask([first.address, second.address])).toEqual(FOUND);
	expect(first.requests).toHaveLength(1);
});

describe('a cancelled execution', () => {
	test('sends no query', async () => {
		const { address, requests } = await resolverWith(hello);
		await expect(ask([address], AbortSignal.abort())).rejects.toThrow('cancelled');
		expect(requests).toEqual([]);
	});

	test('ends at once, and others still get the answer to the same query', async () => {
		let arrive: (answer: () => void) => void = () => {};
		const arrived = new Promise<() => void>((resolve) => (arrive = resolve));
		const { address, requests } = await resolverWith((request, response) =>
			arrive(() => hello(request, response)),
		);
		const execution = new AbortController();
		const cancelled = ask([address], execution.signal);
		const other = ask([address]);
		const answer = await arrived;
		execution.abort();
		await expect(cancelled).rejects.toThrow('cancelled');
		answer();
		expect(await other).toEqual(FOUND);
		expect(requests).toHaveLength(1);
	});
});
