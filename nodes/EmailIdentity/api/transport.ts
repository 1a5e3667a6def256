import type { IHttpRequestOptions } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from './credential';
import { TRANSPORT_ADVICE, type Advice } from './errorMessages';
import type { ApiRequest, ApiResponse, Exchange, TransportFailure } from './exchange';
import type { ApiContext } from './types';
import { whenAborted } from './waiting';

/** Node's error codes. What has no code here counts as a broken connection: the cautious reading. */
const FAILURES: ReadonlyArray<{ codes: RegExp; failure: TransportFailure }> = [
	{
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN)$/,
		failure: { problem: 'unreachable', mayHaveActed: false },
	},
	{ codes: /^ENOTFOUND$/, failure: { problem: 'unknownHost', mayHaveActed: false } },
	{ codes: /CERT|^EPROTO$|^ERR_TLS/, failure: { problem: 'certificate', mayHaveActed: false } },
	{
		codes: /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/,
		failure: { problem: 'timeout', mayHaveActed: true },
	},
];

/** How n8n names its refusal to call an address that its operator has forbidden. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

const BROKEN: TransportFailure = { problem: 'brokenConnection', mayHaveActed: true };
const TIMED_OUT: TransportFailure = { problem: 'timeout', mayHaveActed: true };
const CANCELLED: TransportFailure = { problem: 'cancelled', mayHaveActed: true };

const JSON_CONTENT = { 'content-type': 'application/json' };

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * Sends one request once, with the credential, and takes whatever comes back as text.
 *
 * Redirects are not followed here: n8n would send the key along, to any origin.
 *
 * @param url absolute, below the base URL's origin
 * @param timeout milliseconds until the whole answer has to be there
 * @param signal ends the request early
 */
export async function send(
	context: ApiContext,
	request: ApiRequest,
	url: string,
	timeout: number,
	signal?: AbortSignal,
): Promise<Exchange> {
	if (signal?.aborted) return { failure: { ...CANCELLED, mayHaveActed: false } };
	const ended = new AbortController();
	const options: IHttpRequestOptions = {
		method: request.method,
		url,
		body: request.body,
		headers: { accept: 'application/json', ...(request.body && JSON_CONTENT) },
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		abortSignal: ended.signal,
	};
	const cancelled = whenAborted(signal);
	// The socket's own timeout starts again with every byte, so that a trickle would never end.
	const expired = whenAborted(AbortSignal.timeout(timeout));
	let isAnswered = false;
	const answer = exchange(context, options, url).finally(() => {
		isAnswered = true;
	});
	try {
		return await Promise.race<Exchange>([
			answer,
			cancelled.promise.then(() => ({ failure: CANCELLED })),
			expired.promise.then(() => ({ failure: TIMED_OUT })),
		]);
	} finally {
		cancelled.stop();
		expired.stop();
		// Aborting makes an error with a stack, which is wasted on a request that has ended.
		if (!isAnswered) ended.abort();
	}
}

async function exchange(
	context: ApiContext,
	options: IHttpRequestOptions,
	url: string,
): Promise<Exchange> {
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL_TYPE,
			options,
		)) as FullResponse;
		return { response: toResponse(answer, url) };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

function toResponse(full: FullResponse, url: string): ApiResponse {
	const headers = Object.entries(full.headers).map(([name, value]) => [
		name.toLowerCase(),
		Array.isArray(value) ? value.join(', ') : String(value),
	]);
	return {
		status: full.statusCode,
		headers: Object.fromEntries(headers) as ApiResponse['headers'],
		text: typeof full.body === 'string' ? full.body : '',
		url,
	};
}

/** What to tell about an error that the HTTP library threw. */
export function failureAdvice(error: unknown): Advice {
	return TRANSPORT_ADVICE[toFailure(error).problem];
}

/** n8n wraps what the HTTP library threw; the code is somewhere along the chain of causes. */
function toFailure(error: unknown): TransportFailure {
	for (let link = error; typeof link === 'object' && link !== null; link = causeOf(link)) {
		const { code, name } = link as { code?: unknown; name?: unknown };
		if (typeof code === 'string') {
			return FAILURES.find(({ codes }) => codes.test(code))?.failure ?? BROKEN;
		}
		if (typeof name === 'string' && BLOCKED_BY_HOST.test(name)) {
			return { problem: 'blocked', mayHaveActed: false };
		}
	}
	return BROKEN;
}

function causeOf(error: object): unknown {
	const { cause, errorResponse } = error as { cause?: unknown; errorResponse?: unknown };
	return cause ?? errorResponse;
}
