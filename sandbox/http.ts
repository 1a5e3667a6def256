import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './dialects';
import { ruleActs, type FaultRules } from './faults';
import type { Recording } from './recording';
import { Refusal, type Service } from './call';
import { routes } from './routes';
import { styles, type Failure } from './styles';
import type { FaultAnswer, RequestRecord, StoredAccount } from './types';

export const PATH_PREFIX = '/api';

/** Requests under way. */
export interface InFlight {
	now: number;
	/** Since the start or the last reset. */
	max: number;
}

export interface Surroundings {
	service: Service;
	faults: FaultRules;
	requests: Recording<RequestRecord>;
	inFlight: InFlight;
	/** How long every answer takes. */
	latencyMs: number;
}

interface Reply {
	status: number;
	reason?: string;
	headers: Record<string, string>;
	body: string;
}

export interface Listening {
	port: number;
	close(): Promise<void>;
}

/**
 * @param port 0 takes a free one
 * @throws when the port is in use
 */
export async function listen(
	answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
	port: number,
): Promise<Listening> {
	const server = createServer((request, response) => {
		// The client or the service has ended the connection.
		answer(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		async close() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

/** The account of the `Authorization: Bearer` key. */
function authenticate(authorization: string | undefined, { store }: Service): StoredAccount {
	const [, apiKey] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
	if (apiKey === undefined) throw new Refusal(401, 'Missing or invalid Authorization header');
	const account = store.accounts.find((one) => one.apiKey === apiKey);
	if (!account) throw new Refusal(401, 'Invalid API key');
	return account;
}

/** The path relative to the base URL; undefined outside of it. */
const pathOf = ({ pathname }: URL): string | undefined =>
	pathname.startsWith(`${PATH_PREFIX}/`) ? pathname.slice(PATH_PREFIX.length) : undefined;

function isServed(pattern: string, { messageRoutes, sending }: Dialect): boolean {
	if (pattern === '/messages/:id') return messageRoutes !== 'none';
	if (pattern === '/email/send') return sending !== 'none';
	if (pattern === '/email/reply') return sending === 'reply';
	return true;
}

/** The answer to a request's route, and the ID in its path. */
function routeOf(method: string, url: URL, { dialect }: Service) {
	const { tolerant } = styles[dialect.style];
	const path = pathOf(url) ?? '';
	const known = tolerant ? path.replace(/\/$/, '') : path;
	let hasPath = false;
	for (const [route, answer] of Object.entries(routes)) {
		const [routeMethod, pattern = ''] = route.split(' ');
		const id = idIn(known, pattern);
		if (id === undefined || !isServed(pattern, dialect)) continue;
		if (routeMethod === method) return { answer, id };
		hasPath = true;
	}
	if (!tolerant) throw new Refusal(404, 'Page not found');
	if (hasPath) throw new Refusal(405, 'HTTP method is not allowed.');
	throw new Refusal(404, `Cannot find any route matching ${url.pathname}${url.search}`);
}

/** @returns the segment in the place of `:id`, empty if the pattern has none; undefined if the path does not fit */
function idIn(path: string, pattern: string): string | undefined {
	const segments = path.split('/');
	const wanted = pattern.split('/');
	if (segments.length !== wanted.length) return undefined;
	let id = '';
	for (const [index, segment] of segments.entries()) {
		if (wanted[index] === ':id' && segment !== '') id = decodeURIComponent(segment);
		else if (wanted[index] !== segment) return undefined;
	}
	return id;
}

/** The right answer to a request. */
function decide(record: RequestRecord, url: URL, service: Service): Reply {
	const { wrap, jsonType } = styles[service.dialect.style];
	const { method, headers, body } = record;
	try {
		const { answer, id } = routeOf(method, url, service);
		const caller = authenticate(headers.authorization as string | undefined, service);
		const { status = 200, content } = answer({
			...service,
			caller,
			id,
			query: url.searchParams,
			body,
		});
		if (content === undefined) return { status, headers: {}, body: '' };
		const type = { 'content-type': jsonType };
		return { status, headers: type, body: JSON.stringify(wrap(content)) };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		const { status, message, more } = error;
		return refuse({ status, message, ...more, url: url.href }, service);
	}
}

function refuse(failure: Failure, { dialect }: Service): Reply {
	const { reason, body } = styles[dialect.style].failure(failure);
	const headers = { 'content-type': 'application/json' };
	return { status: failure.status, reason, headers, body: JSON.stringify(body) };
}

/** The reply after a fault. `drop` and `trickle` change how it is sent, not the reply. */
function spoil(answer: FaultAnswer, right: Reply, url: URL, service: Service): Reply {
	switch (answer.type) {
		case 'status': {
			const { status, message = `Fault ${status}`, issues, headers } = answer;
			const isSending = pathOf(url)?.startsWith('/email/') === true;
			const code = isSending || [401, 403, 500].includes(status) ? undefined : 'ERROR';
			const refusal = refuse({ status, message, issues, code, url: url.href }, service);
			const { body = refusal.body } = answer;
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return { ...refusal, headers: { ...refusal.headers, ...headers }, body: text };
		}
		case 'html':
			return {
				status: 200,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: '<!DOCTYPE html><title>Sign in</title><h1>Sign in</h1>',
			};
		case 'redirect':
			return { status: 302, headers: { location: answer.location }, body: '' };
		case 'truncatedJson':
			return { ...right, body: right.body.slice(0, Math.ceil(right.body.length / 2)) };
		case 'contentType':
			return { ...right, headers: { 'content-type': answer.contentType } };
		default:
			return right;
	}
}

async function send(
	response: ServerResponse,
	{ status, reason, headers, body }: Reply,
	answer: FaultAnswer | undefined,
	life: AbortSignal,
): Promise<void> {
	const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	response.writeHead(status, reason, { ...headers, ...length });
	if (answer?.type !== 'trickle') {
		response.end(body);
		return;
	}
	const bytes = Buffer.from(body);
	for (let start = 0; start < bytes.length; start += answer.chunkBytes) {
		response.write(bytes.subarray(start, start + answer.chunkBytes));
		await sleep(answer.intervalMilliseconds, undefined, { signal: life });
	}
	response.end();
}

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	{ service, faults, requests, inFlight, latencyMs }: Surroundings,
	life: AbortSignal,
): Promise<void> {
	inFlight.now++;
	inFlight.max = Math.max(inFlight.max, inFlight.now);
	const { method = '', headers } = request;
	const url = new URL(request.url ?? '/', `http://${headers.host}`);
	const path = pathOf(url) ?? url.pathname;
	const record: RequestRecord = {
		time: Date.now(),
		method,
		path,
		query: url.search.slice(1),
		headers: { ...headers },
		body: '',
		status: null,
		faultId: null,
	};
	/** Called before the answer is sent, so that this request is not under way during the caller's next one. */
	const finish = (status: number) => {
		if (record.status !== null) return;
		inFlight.now--;
		record.status = status;
		requests.changed();
	};
	response.once('close', () => finish(0));
	record.body = await text(request);
	const active = faults.take(method, path, inFlight.now);
	const { rule } = active ?? {};
	record.faultId = active?.id ?? null;
	requests.add(record);
	await pause(latencyMs + (rule?.delayBefore ?? 0), life);
	const nothing = { status: 200, headers: {}, body: '' };
	const isHandled = rule === undefined || ruleActs(rule);
	const right = isHandled ? decide(record, url, service) : nothing;
	await pause(rule?.delayAfter ?? 0, life);
	const { answer } = rule ?? {};
	if (answer?.type === 'drop') {
		finish(0);
		request.socket.resetAndDestroy();
		return;
	}
	const reply = answer ? spoil(answer, right, url, service) : right;
	if (answer?.type !== 'trickle') finish(reply.status);
	await send(response, reply, answer, life);
}

async function pause(milliseconds: number, life: AbortSignal): Promise<void> {
	if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: life });
}

/** @param life ends all delays when the service goes down */
export async function startHttp(
	surroundings: Surroundings,
	port: number,
	life: AbortSignal,
): Promise<Listening> {
	// Every delayed request listens for the end.
	setMaxListeners(0, life);
	return await listen((request, response) => serve(request, response, surroundings, life), port);
}
