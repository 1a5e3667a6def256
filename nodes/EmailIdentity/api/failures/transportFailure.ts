import type { Advice } from './errors';
import { isObject } from '../data/json';
import type { ApiResponse } from '../request';

/** Why there is no complete response. */
export type TransportProblem =
	| 'unreachable'
	| 'unknownHost'
	| 'speaksPlainHttp'
	| 'certificate'
	| 'timeout'
	| 'tooLarge'
	| 'cancelled'
	| 'blocked'
	| 'brokenConnection';

/** A request without a complete response. */
export interface TransportFailure extends Advice {
	problem: TransportProblem;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Follows the name of the server, also if it is not the service. */
	says: string;
}

/** The outcome of a request: a response with any status, or none. */
export type Exchange = ApiResponse | TransportFailure;

export const HOW_TO_ALLOW =
	'the operator of n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES';

interface ProblemRow {
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
const PROBLEMS: Readonly<Record<TransportProblem, ProblemRow>> = {
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
		// A record that was damaged on the way is no failed handshake.
		codes: /CERT|^UNABLE_TO_|^EPROTO$|^ERR_TLS|^ERR_SSL(?!.*BAD_RECORD_MAC)/,
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
};

export function transportFailure(problem: TransportProblem): TransportFailure {
	const { mayHaveActed, says, description } = PROBLEMS[problem];
	const message = `The service ${says}`;
	return { problem, mayHaveActed, says, message, description };
}

/** n8n's messages for URLs that its operator does not allow. */
const BLOCKED_BY_HOST = /ssrf|not allowed|domain/i;

/** n8n wraps the error of the HTTP library in a chain of causes. n8n 1.x keeps only its code, as the status. */
export function toTransportFailure(error: unknown): TransportFailure {
	let link = error;
	while (isObject(link)) {
		if (typeof link.code === 'string') return failureOf(link.code, link.message);
		if (BLOCKED_BY_HOST.test(String(link.name))) return transportFailure('blocked');
		link = link.cause ?? link.errorResponse;
	}
	if (!isObject(error)) return transportFailure('brokenConnection');
	return failureOf(String(error.httpCode), error.message);
}

function failureOf(code: string, message: unknown): TransportFailure {
	for (const problem of Object.keys(PROBLEMS) as TransportProblem[]) {
		const { codes, words } = PROBLEMS[problem];
		const hasCode = codes?.test(code) === true;
		const hasWords = words === undefined || words.test(`${code} ${message}`);
		if (hasCode && hasWords) return transportFailure(problem);
	}
	return transportFailure('brokenConnection');
}
