import { NodeOperationError } from 'n8n-workflow';

import {
	executionSignal,
	HOW_TO_ALLOW,
	requestWithinBounds,
	whenAborted,
	type TransportProblem,
} from '../api/request';
import type { ApiContext } from '../api/types';
import {
	HttpsResolver,
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
} from '../dns/resolver';

/** The text follows the name of a resolver. */
const FAILURES: Readonly<Record<TransportProblem, string>> = {
	unreachable: 'cannot be reached',
	unknownHost: 'was not found',
	certificate: 'has a certificate that is not trusted',
	speaksPlainHttp: 'uses http at this address, not https',
	brokenConnection: 'closed the connection',
	timeout: 'took too long to answer',
	tooLarge: 'sent too large an answer',
	cancelled: 'was cancelled',
	blocked: `is an address that n8n does not allow requests to: ${HOW_TO_ALLOW}`,
};

/** Sends requests through n8n, without a credential. */
const fetchThrough =
	(context: ApiContext): FetchBytes =>
	async (url, { accept, timeout, maxBytes }) => {
		const outcome = await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequest({ ...options, method: 'GET', url, headers: { accept } }),
			{ timeout, largestAnswer: () => maxBytes },
		);
		if ('response' in outcome) return outcome.response;
		const { problem } = outcome.failure;
		return { failure: FAILURES[problem], isTimeout: problem === 'timeout' };
	};

/**
 * Queries the DNS through n8n.
 *
 * @returns a resolver that throws when the execution is cancelled
 */
export function askDns(
	context: ApiContext,
	options: Omit<DnsResolverOptions, 'fetchBytes' | 'signal'>,
): DnsResolver {
	const signal = executionSignal(context);
	const resolver = new HttpsResolver({ ...options, fetchBytes: fetchThrough(context), signal });
	return {
		ask: async (name, type) => {
			const cancelled = whenAborted(signal);
			try {
				const answer = signal?.aborted
					? undefined
					: await Promise.race([resolver.ask(name, type), cancelled.promise]);
				if (answer !== undefined && signal?.aborted !== true) return answer;
				throw new NodeOperationError(context.getNode(), 'The execution was cancelled');
			} finally {
				cancelled.stop();
			}
		},
	};
}
