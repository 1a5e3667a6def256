import type { NodeApiError } from 'n8n-workflow';
import { monotonicNow, retry, Limiter } from '../../../lib/basics';
import { CREDENTIAL_TYPE, readCredential, type Credential } from './credential';
import { serviceError, statusFailure } from './errors';
import { SERVICE_LIMITS } from './json';
import {
	executionSignal,
	followRedirects,
	requestWithinBounds,
	transportFailure,
	wait,
	type Exchange,
	type Advice,
	type ApiContext,
	type ApiRequest,
	type ApiResponse,
} from './request';
import { maskKey } from './redaction';
import {
	PATIENCE,
	RefusalPause,
	isRefusal,
	mayHaveActed,
	mayPass,
	type RetryPolicy,
} from './retry';

/** The limit unless the user sets another. */
export const MAX_CONCURRENT_REQUESTS = 20;

const JSON_TYPE = 'application/json';

export interface ClientOptions {
	/** Default: the cancel signal of the execution. */
	signal?: AbortSignal;
	/** Overrides `PATIENCE.production`, member by member. */
	retry?: Partial<RetryPolicy>;
	/** Default: `MAX_CONCURRENT_REQUESTS`. */
	maxConcurrentRequests?: number;
	/** Bytes. A longer response is an error. Default: `SERVICE_LIMITS.response`. */
	maxBytes?: number;
	/** Hears why a request is sent again. Default: nobody does. */
	onRepeat?: (failure: NodeApiError) => void;
}

export class Client {
	private readonly policy: RetryPolicy;
	private readonly signal: AbortSignal | undefined;
	private readonly limiter: Limiter;
	private readonly refusals: RefusalPause;
	private readonly maxBytes: number;
	private readonly onRepeat: (failure: NodeApiError) => void;
	private reading?: Promise<Credential>;

	constructor(
		private readonly context: ApiContext,
		options: ClientOptions,
	) {
		this.policy = { ...PATIENCE.production, ...options.retry };
		this.signal = options.signal ?? executionSignal(context);
		this.limiter = new Limiter(options.maxConcurrentRequests ?? MAX_CONCURRENT_REQUESTS);
		this.refusals = new RefusalPause(this.policy);
		this.maxBytes = options.maxBytes ?? SERVICE_LIMITS.response;
		this.onRepeat = options.onRepeat ?? (() => undefined);
	}

	/** Read once. @throws NodeOperationError if it is missing or its base URL is not valid */
	async credential(): Promise<Credential> {
		return await (this.reading ??= readCredential(this.context));
	}

	/** @throws NodeApiError, or what `beforeAttempt` throws */
	async request(request: ApiRequest): Promise<ApiResponse> {
		const { baseUrl, apiKey } = await this.credential();
		const { policy, signal, limiter } = this;
		let mayBeDone = false;
		const attempt = async (): Promise<Exchange> => {
			await request.beforeAttempt?.();
			const attempted = await limiter.run(
				async () => await this.sendUntilAccepted(request, baseUrl, apiKey),
			);
			mayBeDone ||= mayHaveActed(attempted);
			return attempted;
		};
		const { result: exchange, attempts } = await retry(attempt, {
			...policy,
			mayPass: (attempted) => {
				const isRepeated = mayPass(request, attempted);
				if (isRepeated) this.onRepeat(this.failureOf(request, attempted, apiKey));
				return isRepeated;
			},
			wait: async (delay) => await wait(delay, signal),
		});
		if (!('problem' in exchange)) {
			if (!isFailure(exchange.status)) return exchange;
			// If a repeated deletion finds nothing, the first one succeeded.
			const isGone = mayBeDone && request.method === 'DELETE' && exchange.status === 404;
			if (isGone) return exchange;
		}
		const detail = attempts > 1 ? `The request was tried ${attempts} times.` : '';
		throw this.failureOf(request, exchange, apiKey, detail);
	}

	/** @param detail only for a missing response */
	private failureOf(
		request: ApiRequest,
		exchange: Exchange,
		apiKey: string,
		detail = '',
	): NodeApiError {
		const failure =
			'problem' in exchange ? { ...exchange, detail } : statusFailure(request, exchange, apiKey);
		const facts = { ...failure, mayHaveActed: mayHaveActed(exchange) };
		return serviceError(this.context.getNode(), request, facts);
	}

	/** For an unusable response with a success status. */
	failure(request: ApiRequest, advice: Advice): NodeApiError {
		return serviceError(this.context.getNode(), request, { ...advice, mayHaveActed: true });
	}

	/** Refused requests keep their turn, so that requests behind them wait as well. */
	private async sendUntilAccepted(
		request: ApiRequest,
		baseUrl: string,
		apiKey: string,
	): Promise<Exchange> {
		const { refusals, signal } = this;
		for (;;) {
			while (refusals.left > 0) {
				if (!(await wait(refusals.left, signal))) break;
			}
			const sentAt = monotonicNow();
			const exchange = await followRedirects(
				async (target) => await this.sendOnce(request, target),
				baseUrl + request.path,
				request.method,
			);
			if ('problem' in exchange) return exchange;
			if (!isRefusal(exchange)) {
				refusals.accepted();
				return exchange;
			}
			if (!refusals.refused(exchange, sentAt)) return exchange;
			this.onRepeat(this.failureOf(request, exchange, apiKey));
		}
	}

	/** Does not follow redirects because n8n would send the key to any origin. */
	private async sendOnce({ method, body }: ApiRequest, url: string): Promise<Exchange> {
		const { context, policy, signal, maxBytes } = this;
		const headers: Record<string, string> = { accept: JSON_TYPE };
		if (body) headers['content-type'] = JSON_TYPE;
		const received = await requestWithinBounds(
			async (bounds) =>
				await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, bounds.abortSignal),
					CREDENTIAL_TYPE,
					{ ...bounds, method, url, body, headers },
				),
			{ timeout: policy.timeout, signal, maxBytes },
		);
		if ('problem' in received) return received;
		const { status } = received;
		if (!received.isWhole && !isFailure(status)) return transportFailure('tooLarge');
		const { apiKey } = await this.credential();
		// The key is masked here, so that no output, log line or drop-down has it, whatever the service returns.
		const text = maskKey(received.body.toString('utf8'), apiKey);
		return { status, headers: received.headers, text, url };
	}
}

function isFailure(status: number): boolean {
	return status >= 300;
}

/**
 * In executions, n8n-core replaces the signal in the options with the signal from the context (`authentication.js`), so a
 * timeout would leave the request running. This context returns our signal.
 */
function withSignal(context: ApiContext, signal: AbortSignal): ApiContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ApiContext;
}
