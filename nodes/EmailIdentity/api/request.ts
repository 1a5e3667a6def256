import { sleep } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';
import {
	CANCELLED,
	TIMED_OUT,
	toTransportFailure,
	type Exchange,
	type TransportFailure,
} from './transport';
import type { ApiContext, ApiRequest, ApiResponse } from './types';

/** What n8n's request helpers have to be told, so that a request keeps within its bounds. */
export interface BoundedOptions {
	/** n8n bounds no answer's size: only who reads it piece by piece can stop. */
	encoding: 'stream';
	returnFullResponse: true;
	ignoreHttpStatusErrors: true;
	disableFollowRedirect: true;
	timeout: number;
	abortSignal: AbortSignal;
}

export interface RequestBounds {
	/** Milliseconds until the whole answer has to be there. */
	timeout: number;
	/** Ends the request early. */
	signal?: AbortSignal;
	/** How much is read of an answer with this status, in bytes; the rest is left unread. */
	largestAnswer(status: number): number;
}

/** What came back, before anything is read out of it. */
export interface BoundedResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	body: Buffer;
	/** False where there was more than the bound. */
	isWhole: boolean;
}

type BoundedExchange = { response: BoundedResponse } | { failure: TransportFailure };

/** A body that is still arriving. */
type Stream = AsyncIterable<Uint8Array> & { destroy(): void };

/** One request under way, and the means to end it. */
interface UnderWay {
	/** Aborts the request for good, so that its connection is closed. */
	ended: AbortController;
	/** The body that arrives, once it does. */
	body?: Stream;
}

/**
 * Sends one request once, and takes whatever comes back. When the time is over, the signal is aborted or the answer is
 * too large, the connection is closed: nothing arrives any more.
 *
 * @param send hands the options on to one of n8n's request helpers, with those of its own
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, largestAnswer }: RequestBounds,
): Promise<BoundedExchange> {
	if (signal?.aborted) return { failure: { ...CANCELLED, mayHaveActed: false } };
	const underWay: UnderWay = { ended: new AbortController() };
	// The socket's own timeout starts again with every byte, so that a trickle would never end.
	const expired = AbortSignal.timeout(timeout);
	const aborted = whenAborted(expired, signal);
	let isAnswered = false;
	const answer = exchange(send, timeout, largestAnswer, underWay).finally(() => {
		isAnswered = true;
	});
	try {
		return await Promise.race([
			answer,
			aborted.promise.then(() => ({ failure: expired.aborted ? TIMED_OUT : CANCELLED })),
		]);
	} finally {
		aborted.stop();
		// Aborting makes an error with a stack, which is wasted on a request that has ended.
		if (!isAnswered) {
			underWay.ended.abort();
			underWay.body?.destroy();
		}
	}
}

async function exchange(
	send: (options: BoundedOptions) => Promise<unknown>,
	timeout: number,
	largestAnswer: RequestBounds['largestAnswer'],
	underWay: UnderWay,
): Promise<BoundedExchange> {
	try {
		const answer = (await send({
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			abortSignal: underWay.ended.signal,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const { statusCode: status } = answer;
		const read = await readBody(answer.body, largestAnswer(status), underWay);
		return { response: { status, headers: toTexts(answer.headers), ...read } };
	} catch (error) {
		return { failure: toTransportFailure(error) };
	}
}

/** Reads a body up to a number of bytes; a longer one is cut there, and its connection closed. */
async function readBody(
	body: unknown,
	bound: number,
	underWay: UnderWay,
): Promise<{ body: Buffer; isWhole: boolean }> {
	if (!isStream(body)) {
		return { body: Buffer.from(typeof body === 'string' ? body : ''), isWhole: true };
	}
	underWay.body = body;
	// Ended while the headers arrived.
	if (underWay.ended.signal.aborted) body.destroy();
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > bound) break;
	}
	return { body: Buffer.concat(pieces).subarray(0, bound), isWhole: size <= bound };
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function toTexts(headers: Record<string, unknown>): BoundedResponse['headers'] {
	const pairs = Object.entries(headers).map(([name, value]) => [
		name.toLowerCase(),
		Array.isArray(value) ? value.join(', ') : String(value),
	]);
	return Object.fromEntries(pairs) as BoundedResponse['headers'];
}

/** The signal that the execution is cancelled; only executions have one. */
export function executionSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Waits, or stops waiting when the signal says so. @returns whether the whole time has passed */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	const { promise, stop } = whenAborted(signal);
	try {
		return await Promise.race([sleep(milliseconds).then(() => true), promise.then(() => false)]);
	} finally {
		stop();
	}
}

/**
 * A promise that settles when one of the signals is aborted, and a way to stop waiting for it. A signal can live as long
 * as an execution, and Node warns of more than ten listeners of one: each caller listens to a signal of its own.
 */
export function whenAborted(...signals: Array<AbortSignal | undefined>): {
	promise: Promise<void>;
	stop: () => void;
} {
	const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
	let settle = () => {};
	const promise = new Promise<void>((resolve) => {
		settle = () => resolve();
	});
	if (signal.aborted) settle();
	signal.addEventListener('abort', settle, { once: true });
	return { promise, stop: () => signal.removeEventListener('abort', settle) };
}

const MAX_REDIRECTS = 5;

/** These repeat the request as it is (RFC 9110, section 15.4); the others turn it into a GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request and follows redirects within its origin, as the key goes nowhere else. Those that would change the
 * method are followed for reads only.
 *
 * @returns what came of it; the redirect itself where it is not followed
 */
export async function followRedirects(
	send: (address: string) => Promise<Exchange>,
	address: string,
	method: ApiRequest['method'],
): Promise<Exchange> {
	const { origin } = toUrl(address);
	let target = address;
	for (let redirects = 0; ; redirects++) {
		const exchange = await send(target);
		if ('failure' in exchange) return exchange;
		const next = locationOf(exchange.response);
		const isRepeatable = method === 'GET' || KEEPS_METHOD.has(exchange.response.status);
		if (next?.origin !== origin || !isRepeatable || redirects === MAX_REDIRECTS) return exchange;
		target = next.href;
	}
}

/** Where a redirect leads: to another origin than the base URL's, or not. */
export interface RedirectTarget {
	/** As the user may see it: without a query, which may hold a secret. */
	address: string;
	isElsewhere: boolean;
}

/**
 * Where a redirect that was not followed leads.
 *
 * @returns undefined when the answer is no redirect
 */
export function redirectTarget(response: ApiResponse): RedirectTarget | undefined {
	const target = locationOf(response);
	if (target === undefined) return undefined;
	const isElsewhere = target.origin !== toUrl(response.url).origin;
	return { address: isElsewhere ? target.origin : target.pathname, isElsewhere };
}

function locationOf({ status, headers, url }: ApiResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && location !== undefined;
	return isRedirect ? parseUrl(location, url) : undefined;
}
