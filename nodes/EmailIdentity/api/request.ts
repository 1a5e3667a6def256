import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type ILoadOptionsFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { parseUrl, requireLimit, toUrl } from '../../../lib/basics';
import { isObject } from './json';

export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

export type Subject = 'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks';

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, with a leading slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
	/** Awaited before each attempt, which is not made if it throws. */
	beforeAttempt?: () => Promise<void>;
}

export interface ApiResponse {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The URL that responded; the base for relative links. */
	url: string;
}

/** Sentences for the user about a failed request. */
export interface Advice {
	/** Names the failure. */
	message: string;
	/** Names the cause; absent if nothing more is known. */
	detail?: string;
	/** Tells how to solve it. */
	description: string;
}

export const HOW_TO_ALLOW =
	'the operator of n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES';

interface Problem {
	/** Node's error codes; absent if no error stands for the problem. */
	codes?: RegExp;
	/** Words that the code or the message also needs, if a code has several causes. */
	words?: RegExp;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Follows the name of the server. */
	says: string;
	/** For a request to the service. */
	description: string;
}

/**
 * Reasons for a missing response. The first matching row applies. Sentences must not contain an error code, because n8n
 * would replace the whole message.
 */
const PROBLEMS = {
	unreachable: {
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN)$/,
		mayHaveActed: false,
		says: 'cannot be reached',
		description: 'Check that the service is running, and the base URL{inCredential}.',
	},
	unknownHost: {
		codes: /^ENOTFOUND$/,
		mayHaveActed: false,
		says: 'was not found: its host name does not exist',
		description: 'Check the spelling of the base URL{inCredential}.',
	},
	speaksPlainHttp: {
		codes: /^(EPROTO|ERR_SSL_.*)$/,
		// OpenSSL's messages for a plain HTTP response to a TLS handshake.
		words: /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i,
		mayHaveActed: false,
		says: 'uses HTTP at this address, not HTTPS',
		description: 'Start the base URL{inCredential} with http://, or add the port for HTTPS.',
	},
	certificate: {
		codes: /CERT|^EPROTO$|^ERR_TLS|^ERR_SSL/,
		mayHaveActed: false,
		says: 'has a certificate that is not trusted',
		description: 'Renew it if it has expired, or make n8n trust its issuer.',
	},
	timeout: {
		codes: /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/,
		mayHaveActed: true,
		says: 'took too long to respond',
		description: 'Try again later. If it keeps failing, the service may be overloaded.',
	},
	tooLarge: {
		mayHaveActed: true,
		says: 'sent a response that is too large',
		description: 'n8n stopped reading it to avoid running out of memory.',
	},
	cancelled: {
		mayHaveActed: true,
		says: 'did not respond before the execution was cancelled',
		description: 'The request was not repeated.',
	},
	blocked: {
		mayHaveActed: false,
		// A drop-down shows only the message.
		says: `is at an address that n8n does not allow requests to: ${HOW_TO_ALLOW}`,
		description:
			'The first variable takes the host of the base URL, the second its IP addresses. Restart n8n afterwards. If the credential restricts the domains it can be used with, add the host there as well.',
	},
	// Also for errors without a matching row, to be cautious.
	brokenConnection: {
		mayHaveActed: true,
		says: 'closed the connection before it responded',
		description:
			'Try again. If it keeps failing, check whether the base URL must start with https://.',
	},
} satisfies Record<string, Problem>;

type TransportProblem = keyof typeof PROBLEMS;

/** Why there is no complete response. */
export interface TransportFailure extends Advice {
	problem: TransportProblem;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Follows the name of the server, also if it is not the service. */
	says: string;
}

/** The outcome of a request: a response with any status, or none. */
export type Exchange = ApiResponse | TransportFailure;

export function transportFailure(problem: TransportProblem): TransportFailure {
	const { mayHaveActed, says, description } = PROBLEMS[problem];
	return { problem, mayHaveActed, says, message: `The service ${says}`, description };
}

/** n8n's messages for URLs that its operator does not allow. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

/** n8n wraps the error of the HTTP library in a chain of causes. n8n 1.x keeps only its code, as the status. */
export function toTransportFailure(error: unknown): TransportFailure {
	for (let link = error; isObject(link); link = link.cause ?? link.errorResponse) {
		if (typeof link.code === 'string') return failureOf(link.code, link.message);
		if (BLOCKED_BY_HOST.test(String(link.name))) return transportFailure('blocked');
	}
	const { httpCode, message } = isObject(error) ? error : {};
	return failureOf(String(httpCode), message);
}

function failureOf(code: string, message: unknown): TransportFailure {
	for (const [problem, { codes, words }] of Object.entries<Problem>(PROBLEMS)) {
		if (!codes?.test(code)) continue;
		const hasWords = words === undefined || words.test(`${code} ${message}`);
		if (hasWords) return transportFailure(problem as TransportProblem);
	}
	return transportFailure('brokenConnection');
}

/** n8n does not limit the size of a response; only a stream can be stopped. */
const OPTIONS = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

interface RequestBounds {
	/** Milliseconds for the complete response. */
	timeout: number;
	signal?: AbortSignal;
	/** The connection of a longer response is closed. */
	maxBytes: number;
}

/** Options for n8n's request helpers. */
type BoundedOptions = typeof OPTIONS & {
	/** Milliseconds. */
	timeout: number;
	/** Also aborts on timeout. */
	abortSignal: AbortSignal;
};

type Body = AsyncIterable<Uint8Array> & { destroy(): void };

/** A response as n8n's request helpers return it with these options. */
interface StreamedResponse {
	statusCode: number;
	headers: ApiResponse['headers'];
	body: Body;
}

interface ReceivedBody {
	/** At most `maxBytes`. */
	body: Buffer;
	/** False if the service sent more. */
	isWhole: boolean;
}

/** A response whose text is not decoded yet. */
export interface ReceivedResponse extends ReceivedBody {
	status: number;
	/** Names in lower case. */
	headers: ApiResponse['headers'];
}

/**
 * Closes the connection on timeout, on abort and if the response is too large.
 *
 * @param send passes these options and its own to one of n8n's request helpers
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, maxBytes }: RequestBounds,
): Promise<ReceivedResponse | TransportFailure> {
	requireLimit('maxBytes', maxBytes);
	if (signal?.aborted) return { ...transportFailure('cancelled'), mayHaveActed: false };
	// The socket's timeout restarts with every byte, so a trickling response would never end.
	const expired = AbortSignal.timeout(timeout);
	const ended = AbortSignal.any(signal ? [expired, signal] : [expired]);
	try {
		const response = (await send({ ...OPTIONS, timeout, abortSignal: ended })) as StreamedResponse;
		const { statusCode: status, headers } = response;
		const received = await readBody(response.body, maxBytes, ended);
		return { status, headers, ...received };
	} catch (error) {
		if (expired.aborted) return transportFailure('timeout');
		if (signal?.aborted) return transportFailure('cancelled');
		return toTransportFailure(error);
	}
}

async function readBody(body: Body, maxBytes: number, ended: AbortSignal): Promise<ReceivedBody> {
	const stop = () => body.destroy();
	if (ended.aborted) stop();
	ended.addEventListener('abort', stop);
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > maxBytes) break;
	}
	ended.removeEventListener('abort', stop);
	return { body: Buffer.concat(pieces).subarray(0, maxBytes), isWhole: size <= maxBytes };
}

/** Only executions have one. */
export function executionSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** @returns false if the signal aborted */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	await unlessAborted(async () => await sleep(milliseconds), signal);
	return signal?.aborted !== true;
}

/** @returns undefined if the signal aborted */
export async function unlessAborted<Result>(
	work: () => Promise<Result>,
	signal: AbortSignal | undefined,
): Promise<Result | undefined> {
	if (signal?.aborted) return undefined;
	// Node warns of more than ten listeners of one signal, and this one may live as long as an execution.
	const own = AbortSignal.any(signal ? [signal] : []);
	let stop = () => {};
	const aborted = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
	own.addEventListener('abort', stop, { once: true });
	try {
		return await Promise.race([work(), aborted]);
	} finally {
		own.removeEventListener('abort', stop);
	}
}

const MAX_REDIRECTS = 5;

/** Redirects that keep the method (RFC 9110, section 15.4); the others change it to GET. */
const KEEPS_METHOD: readonly number[] = [307, 308];

/**
 * Follows redirects within the origin, so that the key is not sent elsewhere, and only for reads if they change the method.
 *
 * @returns the redirect itself if it is not followed
 */
export async function followRedirects(
	send: (url: string) => Promise<Exchange>,
	url: string,
	method: ApiRequest['method'],
): Promise<Exchange> {
	const { origin } = toUrl(url);
	let target = url;
	for (let redirects = 0; ; redirects++) {
		const exchange = await send(target);
		if ('problem' in exchange) return exchange;
		const next = redirectTarget(exchange);
		if (next?.origin !== origin) return exchange;
		const isRepeatable = method === 'GET' || KEEPS_METHOD.includes(exchange.status);
		if (!isRepeatable) return exchange;
		if (redirects === MAX_REDIRECTS) return exchange;
		target = next.href;
	}
}

/** @returns undefined if the response is no redirect, or its target is not a URL */
export function redirectTarget({ status, headers, url }: ApiResponse): URL | undefined {
	const isRedirect = status >= 300 && status < 400;
	if (!isRedirect || headers.location === undefined) return undefined;
	return parseUrl(headers.location, url);
}
