import type { Advice, ApiResponse } from './types';

/** Why no answer arrived, or none that could be taken. */
export type TransportProblem =
	| 'unreachable'
	| 'unknownHost'
	| 'certificate'
	| 'speaksPlainHttp'
	| 'speaksNoHttp'
	| 'brokenConnection'
	| 'timeout'
	| 'tooLarge'
	| 'cancelled'
	| 'blocked';

/** A request that ended without an answer. */
export interface TransportFailure {
	problem: TransportProblem;
	/** Whether the request may have reached the service, so that it may have acted on it. */
	mayHaveActed: boolean;
}

/** Either an answer or the reason why there is none. */
export type Exchange = { response: ApiResponse } | { failure: TransportFailure };

export const TIMED_OUT: TransportFailure = { problem: 'timeout', mayHaveActed: true };
export const CANCELLED: TransportFailure = { problem: 'cancelled', mayHaveActed: true };
export const TOO_LARGE: TransportFailure = { problem: 'tooLarge', mayHaveActed: true };
const BROKEN: TransportFailure = { problem: 'brokenConnection', mayHaveActed: true };

/**
 * Node's error codes and, where one code has several causes, the words of its message. The first that fits counts; what
 * fits none counts as a broken connection: the cautious reading.
 */
const FAILURES: ReadonlyArray<{ codes: RegExp; words?: RegExp; failure: TransportFailure }> = [
	{
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN)$/,
		failure: { problem: 'unreachable', mayHaveActed: false },
	},
	{ codes: /^ENOTFOUND$/, failure: { problem: 'unknownHost', mayHaveActed: false } },
	{
		// What a plain HTTP server says to the first bytes of TLS is no TLS (OpenSSL's words).
		codes: /^(EPROTO|ERR_SSL_.*)$/,
		words: /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i,
		failure: { problem: 'speaksPlainHttp', mayHaveActed: false },
	},
	{
		codes: /CERT|^EPROTO$|^ERR_TLS|^ERR_SSL/,
		failure: { problem: 'certificate', mayHaveActed: false },
	},
	{ codes: /^HPE_INVALID_CONSTANT$/, failure: { problem: 'speaksNoHttp', mayHaveActed: false } },
	{ codes: /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/, failure: TIMED_OUT },
];

/** How n8n names its refusal to call an address that its operator has forbidden. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

/**
 * What happened, told by the error that n8n's request helper threw. n8n wraps what the HTTP library threw; the code is
 * somewhere along the chain of causes. n8n 1.x drops the cause and keeps its code alone, in the place of a status.
 */
export function toTransportFailure(error: unknown): TransportFailure {
	for (let link = error; typeof link === 'object' && link !== null; link = causeOf(link)) {
		const { code, name, message } = link as { code?: unknown; name?: unknown; message?: unknown };
		if (typeof code === 'string') return failureOf(code, message);
		if (typeof name === 'string' && BLOCKED_BY_HOST.test(name)) {
			return { problem: 'blocked', mayHaveActed: false };
		}
	}
	const { httpCode, message } = (error ?? {}) as { httpCode?: unknown; message?: unknown };
	return typeof httpCode === 'string' ? failureOf(httpCode, message) : BROKEN;
}

function failureOf(code: string, message: unknown): TransportFailure {
	const known = FAILURES.find(
		({ codes, words }) => codes.test(code) && (!words || words.test(`${code} ${message}`)),
	);
	return known?.failure ?? BROKEN;
}

function causeOf(error: object): unknown {
	const { cause, errorResponse } = error as { cause?: unknown; errorResponse?: unknown };
	return cause ?? errorResponse;
}

/** What to do about `blocked`, at the end of a sentence. */
export const HOW_TO_ALLOW =
	'the operator of n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES';

/** What to tell of each problem. No sentence may name an error code: n8n would replace the whole message. */
export const TRANSPORT_ADVICE: Readonly<Record<TransportProblem, Advice>> = {
	unreachable: {
		message: 'The service cannot be reached',
		description:
			'It refused the connection, or the network is down. Check that the service is running, and the host and port of the base URL in the credential.',
	},
	unknownHost: {
		message: 'The host of the base URL is not known',
		description: 'Check the spelling of the base URL in the Email Identity API credential.',
	},
	certificate: {
		message: 'The certificate of the service is not trusted',
		description:
			'It may be expired, self-signed or for another name. Renew it, or make n8n trust its issuer.',
	},
	speaksPlainHttp: {
		message: 'The service speaks http at this address, not https',
		description:
			'Let the base URL in the Email Identity API credential start with http://, or name the port for https.',
	},
	speaksNoHttp: {
		message: 'The service does not speak http at this address',
		description:
			'Try a base URL that starts with https:// in the Email Identity API credential, and check its port.',
	},
	brokenConnection: {
		message: 'The connection to the service broke before it answered',
		description:
			'Try again. If it keeps failing, check the service and any proxy in front of it, and whether the base URL must start with https://.',
	},
	timeout: {
		message: 'The service took too long to answer',
		description: 'Try again later. If it keeps failing, the service may be overloaded.',
	},
	tooLarge: {
		message: 'The answer of the service is too large',
		description: 'n8n stopped reading it, so that it does not run out of memory.',
	},
	cancelled: {
		message: 'The execution was cancelled',
		description: 'The request was not repeated.',
	},
	// A drop-down shows the message alone.
	blocked: {
		message: `n8n does not allow requests to this address: ${HOW_TO_ALLOW}`,
		description:
			'The first takes the host of the base URL, the second its IP addresses. Restart n8n afterwards. If the credential limits the domains that it may be used for, allow the host there, too.',
	},
};
