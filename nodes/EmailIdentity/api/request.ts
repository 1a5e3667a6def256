import { sleep } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';
import type { Advice, ApiContext, ApiRequest, ApiResponse } from './types';

/** How to resolve `blocked`; ends a sentence. */
export const HOW_TO_ALLOW =
	'the operator of n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES';

interface Problem extends Advice {
	/** Node's error codes, and words of the message if a code has several causes. */
	codes?: RegExp;
	words?: RegExp;
	/** Whether the service may have received the request and acted on it. */
	mayHaveActed: boolean;
}

/**
 * Reasons for a missing response. The first matching row applies. Sentences must not contain an error code, because n8n
 * would replace the whole message.
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
		// OpenSSL's messages for a plain HTTP response to a TLS handshake.
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
		// A drop-down shows only the message.
		message: `n8n does not allow requests to this address: ${HOW_TO_ALLOW}`,
		description:
			'The first variable takes the host of the base URL, the second its IP addresses. Restart n8n afterwards. If the credential restricts the domains it can be used with, add the host there as well.',
	},
	// Also for errors without a matching row, to be cautious.
	brokenConnection: {
		mayHaveActed: true,
		message: 'The connection to the service was lost before it responded',
		description:
			'Try again. If it keeps failing, check the service and any proxy in front of it, and whether the base URL must start with https://.',
	},
} satisfies Record<string, Problem>;

export type TransportProblem = keyof typeof PROBLEMS;

/** A request that ended without a response. */
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

/** n8n's messages for URLs that its operator does not allow. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

/**
 * Reads an error of n8n's request helper. n8n wraps the error of the HTTP library, so the code is somewhere in the chain of
 * causes. n8n 1.x drops the cause and keeps only its code, as the status.
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

/** Options for n8n's request helpers that limit a request. */
export interface BoundedOptions {
	/** n8n does not limit the size of a response; only a stream can be stopped. */
	encoding: 'stream';
	returnFullResponse: true;
	ignoreHttpStatusErrors: true;
	disableFollowRedirect: true;
	timeout: number;
	abortSignal: AbortSignal;
}

export interface RequestBounds {
	/** Milliseconds for the complete response. */
	timeout: number;
	/** Ends the request early. */
	signal?: AbortSignal;
	/** Bytes to read of a response with this status; the rest is left unread. */
	largestAnswer(status: number): number;
}

export interface BoundedResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	body: Buffer;
	/** False if the response exceeded the limit. */
	isWhole: boolean;
}

/**
 * Sends a request once. Closes the connection on timeout, on abort and if the response is too large.
 *
 * @param send passes these options and its own to one of n8n's request helpers
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, largestAnswer }: RequestBounds,
): Promise<{ response: BoundedResponse } | { failure: TransportFailure }> {
	if (signal?.aborted) {
		return { failure: { ...transportFailure('cancelled'), mayHaveActed: false } };
	}
	// The socket's timeout restarts with every byte, so a trickling response would never end.
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

/** Reads a body up to a number of bytes; truncates a longer one and closes its connection. */
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

/** The cancel signal of the execution; only executions have one. */
export function executionSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Waits until the time has passed or the signal aborts. @returns whether the time has passed */
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
 * A promise that settles when the signal aborts, and a function that stops waiting for it. Each caller gets its own signal
 * because Node warns if a signal, which may live as long as an execution, has more than ten listeners.
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

/** These keep the method (RFC 9110, section 15.4); the others change it to GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request and follows redirects within its origin, so that the key is not sent elsewhere. Redirects that would
 * change the method are followed only for reads.
 *
 * @returns the redirect itself if it is not followed
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

/** The target of a redirect; undefined for other responses. */
export function redirectTarget({ status, headers, url }: ApiResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && location !== undefined;
	return isRedirect ? parseUrl(location, url) : undefined;
}
