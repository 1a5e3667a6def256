import { NodeOperationError } from 'n8n-workflow';

import { requestWithinBounds } from '../../api/requests/boundedRequest';
import { executionSignal, unlessAborted } from '../../api/requests/cancellation';
import type { ApiContext } from '../../api/request';
import {
	HttpsResolver,
	type DnsResolver,
	type DnsResolverOptions,
	type FetchBytes,
} from '../../../../lib/dns';

export interface DnsAccessOptions {
	/** URLs of DNS-over-HTTPS servers, in order of use. */
	addresses: readonly string[];
	limits: DnsResolverOptions['limits'];
}

/** Queries the DNS through n8n. Throws when the execution is cancelled. */
export function askDns(context: ApiContext, options: DnsAccessOptions): DnsResolver {
	const signal = executionSignal(context);
	const resolver = new HttpsResolver({ ...options, fetchBytes: fetchThrough(context), signal });
	return {
		async ask(name, type) {
			const answer = await unlessAborted(async () => await resolver.ask(name, type), signal);
			if (answer !== undefined && signal?.aborted !== true) return answer;
			throw new NodeOperationError(context.getNode(), 'The execution was cancelled');
		},
	};
}

/** Sends requests through n8n, without a credential. */
function fetchThrough(context: ApiContext): FetchBytes {
	return async (url, { accept, ...bounds }) => {
		const headers = { accept };
		const received = await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequest({ ...options, method: 'GET', url, headers }),
			bounds,
		);
		if (!('problem' in received)) return received;
		return { failure: received.says, isTimeout: received.problem === 'timeout' };
	};
}
