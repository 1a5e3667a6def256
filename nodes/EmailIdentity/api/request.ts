import { sleep } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';
import type { Advice, ApiContext, ApiRequest, ApiResponse } from './types';

/** The remedy for `blocked`, at the end of a sentence. */
export const HOW_TO_ALLOW =
	'the operator of n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES';

interface Problem extends Advice {
	/** Node's error codes and, where one code has several causes, the words of its message. */
	codes?: RegExp;
	words?: RegExp;
	/** Whether the request may have reached the service, so that it may have acted on it. */
	mayHaveActed: boolean;
}

/**
 * Why no usable answer arrived. The first row that fits an error counts. No sentence may name an error code: n8n would
 * replace the whole message.
 */
const PROBLEMS = {
	unreachable: {
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN)$/,
		mayHaveActed: false,
		message: 'The service cannot be reached',
		description:
			'It refused the connection, or the network is down. Check that the service is running, and the host and port of the base URL in the credential.',
	},
	unknownHost: {
		codes: /^ENOTFOUND$/,
		mayHaveActed: false,
		message: 'The host of the base URL was not found',
		description: 'Check the spelling of the base URL in the Email Identity API credential.',
	},
	speaksPlainHttp: {
		codes: /^(EPROTO|ERR_SSL_.*)$/,
		// OpenSSL's words about a plain HTTP answer to the first bytes of TLS.
		words: /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i,
		mayHaveActed: false,
		message: 'The service uses HTTP at this address, not HTTPS',
		description:
			'Start the base URL in the Email Identity API credential with http://, or add the port for HTTPS.',
	},
	certificate: {
		codes: /CERT|^EPROTO$|^ERR_TLS|^ERR_SSL/,
		mayHaveActed: false,
		message: 'The certificate of the service is not trusted',
		description:
			'It may be expired, self-signed or for another host name. Renew it, or make n8n trust its issuer.',
	},
	timeout: {
		codes: /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/,
		mayHaveActed: true,
		message: 'The service took too long to respond',
		description: 'Try again later. If it keeps failing, the service may be overloaded.',
	},
	tooLarge: {
		mayHaveActed: true,
		message: 'The response of the service is too large',
		description: 'n8n stopped reading it to avoid running out of memory.',
	},
	cancelled: {
		mayHaveActed: true,
		message: 'The execution was cancelled',
		description: 'The request was not repeated.',
	},
	blocked: {
		mayHaveActed: false,
		// A drop-down shows the message alone.
		message: `n8n does not allow requests to this address: ${HOW_TO_ALLOW}`,
		description:
			'The first variable takes the host of the base URL, the second its IP addresses. Restart n8n afterwards. If the credential restricts the domains it can be used with, add the host there as well.',
	},
	// Also for every error that fits no other row: the cautious reading.
	brokenConnection: {
		mayHaveActed: true,
		message: 'The connection to the service was lost before it responded',
		description:
			'Try again. If it keeps failing, check the service and any proxy in front of it, and whether the base URL must start with https://.',
	},
} satisfies Record<string, Problem>;

export type TransportProblem = keyof typeof PROBLEMS;

/** A request that ended without a usable answer. */
export interface TransportFailure {
	problem: TransportProblem;
	mayHaveActed: boolean;
	advice: Advice;
}

export type Exchange = { response: ApiResponse } | { failure: TransportFailure };

export function transportFailure(problem: TransportProblem): TransportFailure {
	const { mayHaveActed, message, description } = PROBLEMS[problem];
	return { problem, mayHaveActed, advice: { message, description } };
}

/** How n8n names its refusal to call an address that its operator has forbidden. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

/**
 * Reads the error that n8n's request helper threw. n8n wraps what the HTTP library threw; the code is somewhere along the
 * chain of causes. n8n 1.x drops the cause and keeps its code alone, in the place of a status.
 */
export function toTransportFailure(error: unknown): TransportFailure {
	for (let link = error; typeof link === 'object' && link !== null; link = causeOf(link)) {
		const { code, name, message } = link as { code?: unknown; name?: unknown; message?: unknown };
		if (typeof code === 'string') return failureOf(code, message);
		if (typeof name === 'string' && BLOCKED_BY_HOST.test(name)) return transportFailure('blocked');
	}
	const { httpCode, message } = (error ?? {}) as { httpCode?: unknown; message?: unknown };
	return failureOf(String(httpCode), message);
}

function failureOf(code: string, message: unknown): TransportFailure {
	const known = Object.entries<Problem>(PROBLEMS).find(
		([, { codes, words }]) => codes?.test(code) && (!words || words.test(`${code} ${message}`)),
	);
	return transportFailure((known?.[0] ?? 'brokenConnection') as TransportProblem);
}

function causeOf(error: object): unknown {
	const { cause, errorResponse } = error as { cause?: unknown; errorResponse?: unknown };
	return cause ?? errorResponse;
}

/** Options for n8n's request helpers that keep a request within its bounds. */
export interface BoundedOptions {
	/** n8n does not bound an answer's size: only a reader of the stream can stop. */
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

export interface BoundedResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	body: Buffer;
	/** False where there was more than the bound. */
	isWhole: boolean;
}

/**
 * Sends one request once. When the time is over, the signal is aborted or the answer is too large, the connection is closed.
 *
 * @param send hands the options on to one of n8n's request helpers, with those of its own
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, largestAnswer }: RequestBounds,
): Promise<{ response: BoundedResponse } | { failure: TransportFailure }> {
	if (signal?.aborted) {
		return { failure: { ...transportFailure('cancelled'), mayHaveActed: false } };
	}
	// The socket's own timeout starts again with every byte, so that a trickle would never end.
	const expired = AbortSignal.timeout(timeout);
	const ended = AbortSignal.any(signal ? [expired, signal] : [expired]);
	try {
		const answer = (await send({
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			abortSignal: ended,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const { statusCode: status } = answer;
		const read = await readBody(answer.body, largestAnswer(status), ended);
		return { response: { status, headers: toTexts(answer.headers), ...read } };
	} catch (error) {
		if (expired.aborted) return { failure: transportFailure('timeout') };
		if (signal?.aborted) return { failure: transportFailure('cancelled') };
		return { failure: toTransportFailure(error) };
	}
}

/** Reads a body up to a number of bytes; a longer one is cut there, and its connection closed. */
async function readBody(
	body: unknown,
	bound: number,
	ended: AbortSignal,
): Promise<{ body: Buffer; isWhole: boolean }> {
	if (!isStream(body)) {
		return { body: Buffer.from(typeof body === 'string' ? body : ''), isWhole: true };
	}
	const stop = () => body.destroy();
	if (ended.aborted) stop();
	ended.addEventListener('abort', stop);
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > bound) break;
	}
	ended.removeEventListener('abort', stop);
	return { body: Buffer.concat(pieces).subarray(0, bound), isWhole: size <= bound };
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> & { destroy(): void } {
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
 * A promise that settles when the signal is aborted, and a way to stop waiting for it. A signal can live as long as an
 * execution, and Node warns of more than ten listeners of one: each caller listens to a signal of its own.
 */
export function whenAborted(signal: AbortSignal | undefined): {
	promise: Promise<void>;
	stop: () => void;
} {
	const own = AbortSignal.any(signal ? [signal] : []);
	let settle = () => {};
	const promise = new Promise<void>((resolve) => {
		settle = () => resolve();
	});
	if (own.aborted) settle();
	own.addEventListener('abort', settle, { once: true });
	return { promise, stop: () => own.removeEventListener('abort', settle) };
}

const MAX_REDIRECTS = 5;

/** These repeat the request as it is (RFC 9110, section 15.4); the others turn it into a GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request and follows redirects within its origin, as the key goes nowhere else. Those that would change the
 * method are followed for reads only.
 *
 * @returns the redirect itself where it is not followed
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
		const next = redirectTarget(exchange.response);
		const isRepeatable = method === 'GET' || KEEPS_METHOD.has(exchange.response.status);
		if (next?.origin !== origin || !isRepeatable || redirects === MAX_REDIRECTS) return exchange;
		target = next.href;
	}
}

/** Where a redirect leads; undefined when the answer is none. */
export function redirectTarget({ status, headers, url }: ApiResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && location !== undefined;
	return isRedirect ? parseUrl(location, url) : undefined;
}
