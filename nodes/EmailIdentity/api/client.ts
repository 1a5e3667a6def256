import { Turns } from '../lib/concurrency';
import { CREDENTIAL_TYPE, readCredential } from './credential';
import { ServiceError, statusFailure } from './errors';
import {
	executionSignal,
	followRedirects,
	requestWithinBounds,
	transportFailure,
	wait,
	type Exchange,
} from './request';
import {
	PATIENT,
	RefusalPause,
	delayBeforeRepeat,
	isRefusal,
	mayHaveActed,
	type RetryPolicy,
} from './retry';
import type { Advice, ApiContext, ApiRequest, ApiResponse } from './types';

/**
 * Bytes of a response: enough for a list of 100,000 identities with all their DNS records, or a raw email of 50 MB, which
 * JSON doubles.
 */
export const MAX_RESPONSE = 128 * 1024 * 1024;

const MAX_CONCURRENT_REQUESTS = 20;

export interface ClientOptions {
	/** Ends requests and waits early; default: the cancel signal of the execution. */
	signal?: AbortSignal;
	/** Differences from the retry policy of executions. */
	retry?: Partial<RetryPolicy>;
	maxConcurrentRequests?: number;
}

/** Sends requests to the service in the node's credential, and retries them. */
export function createClient(context: ApiContext, options: ClientOptions) {
	const policy: RetryPolicy = { ...PATIENT, ...options.retry };
	const signal = options.signal ?? executionSignal(context);
	const turns = new Turns(options.maxConcurrentRequests ?? MAX_CONCURRENT_REQUESTS);
	const refusals = new RefusalPause(policy);
	let reading: ReturnType<typeof readCredential> | undefined;

	const credential = async () => await (reading ??= readCredential(context));

	/** Does not follow redirects because n8n would send the key to any origin. */
	const sendOnce = async ({ method, body }: ApiRequest, url: string): Promise<Exchange> => {
		const type = 'application/json';
		const headers = { accept: type, ...(body && { 'content-type': type }) };
		const received = await requestWithinBounds(
			async (bounds) =>
				await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, bounds.abortSignal),
					CREDENTIAL_TYPE,
					{ ...bounds, method, url, body, headers },
				),
			{ timeout: policy.timeout, signal, maxBytes: MAX_RESPONSE },
		);
		if ('problem' in received) return received;
		const { body: bytes, isWhole, ...rest } = received;
		if (!isWhole && !isFailure(rest.status)) return transportFailure('tooLarge');
		return { ...rest, text: bytes.toString('utf8'), url };
	};

	/** Refused requests keep their turn, so that requests behind them wait as well. */
	const sendUntilAccepted = async (request: ApiRequest, address: string): Promise<Exchange> => {
		for (;;) {
			while (refusals.left > 0) {
				if (!(await wait(refusals.left, signal))) break;
			}
			const sentAt = Date.now();
			const exchange = await followRedirects(
				async (target) => await sendOnce(request, target),
				address,
				request.method,
			);
			if ('problem' in exchange) return exchange;
			if (!isRefusal(exchange)) {
				refusals.accepted();
				return exchange;
			}
			if (!refusals.refused(exchange, sentAt)) return exchange;
		}
	};

	return {
		credential,

		/**
		 * Sends a request, and repeats it until it succeeds if that is safe.
		 *
		 * @param url of a further page; replaces the request's path
		 * @throws ServiceError
		 */
		async request(request: ApiRequest, url?: string): Promise<ApiResponse> {
			const { baseUrl, apiKey } = await credential();
			const started = Date.now();
			let repeatedAfterLoss = false;
			for (let attempt = 1; ; attempt++) {
				const exchange = await turns.run(
					async () => await sendUntilAccepted(request, url ?? baseUrl + request.path),
				);
				if (!('problem' in exchange)) {
					const { status } = exchange;
					// If a repeated deletion finds nothing, the first one succeeded.
					const isGone = repeatedAfterLoss && request.method === 'DELETE' && status === 404;
					if (!isFailure(status) || isGone) return exchange;
				}
				const elapsed = Date.now() - started;
				const delay = delayBeforeRepeat(request, exchange, attempt, elapsed, policy);
				if (delay === undefined || !(await wait(delay, signal))) {
					const detail = attempt > 1 ? `The request was tried ${attempt} times.` : '';
					const failure =
						'problem' in exchange
							? { ...exchange, detail }
							: statusFailure(request, exchange, apiKey);
					const facts = { ...failure, mayHaveActed: mayHaveActed(exchange) };
					throw new ServiceError(context.getNode(), request, facts);
				}
				repeatedAfterLoss ||= mayHaveActed(exchange);
			}
		},

		/** The error for an unusable response with a success status. */
		failure: (request: ApiRequest, advice: Advice): ServiceError =>
			new ServiceError(context.getNode(), request, { ...advice, mayHaveActed: true }),
	};
}

const isFailure = (status: number): boolean => status >= 300;

/**
 * In executions, n8n-core replaces the signal in the options with the signal from the context (`authentication.js`), so a
 * timeout would leave the request running. This context returns our signal.
 */
function withSignal(context: ApiContext, signal: AbortSignal): ApiContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ApiContext;
}
