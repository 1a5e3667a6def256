import type { NodeApiError } from 'n8n-workflow';
import { monotonicNow, retry, Limiter } from '../../../../lib/basics';
import { serviceError, type Advice } from '../failures/errors';
import { requestWithinBounds, type BoundedOptions } from './boundedRequest';
import { executionSignal, wait } from './cancellation';
import { CREDENTIAL_TYPE, readCredential, type Credential } from './credential';
import { SERVICE_LIMITS } from '../data/json';
import { maskKey } from '../failures/redaction';
import { followRedirects } from './redirects';
import { RefusalPause } from './refusalPause';
import type { ApiContext, ApiRequest, ApiResponse } from '../request';
import { MAX_CONCURRENT_REQUESTS, PATIENCE, type RetryPolicy } from './retry';
import { isRefusal, mayHaveActed, mayRepeat } from './idempotency';
import { statusFailure } from '../failures/statusMessages';
import { transportFailure, type Exchange } from '../failures/transportFailure';

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

/**
 * Sends requests to the service. The stages of a request, each in the one before: attempts (`request`), pauses while the
 * service is busy (`sendUntilAccepted`), redirects (`followRedirects`), and the call of n8n (`send`) within its bounds.
 */
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
		this.reading ??= readCredential(this.context);
		return await this.reading;
	}

	/**
	 * Sends a request. Repeats it if it failed, and if a repeat is safe and may succeed.
	 *
	 * @returns a response with a success status, or 404 for a repeated deletion
	 * @throws NodeApiError, or what `beforeAttempt` throws
	 */
	async request(request: ApiRequest): Promise<ApiResponse> {
		const credential = await this.credential();
		let mayBeDone = false;

		const attempt = async (): Promise<Exchange> => {
			await request.beforeAttempt?.();
			const exchange = await this.limiter.run(
				async () => await this.sendUntilAccepted(request, credential),
			);
			if (mayHaveActed(request, exchange)) mayBeDone = true;
			return exchange;
		};
		const { result: exchange, attempts } = await retry(attempt, {
			...this.policy,
			mayPass: (failed) => {
				const isRepeated = mayRepeat(request, failed);
				if (isRepeated) this.onRepeat(this.failureOf(request, failed, credential));
				return isRepeated;
			},
			wait: async (delay) => await wait(delay, this.signal),
		});

		if (isSuccess(exchange)) return exchange;
		// If a repeated deletion finds nothing, the first one succeeded.
		if (mayBeDone && request.method === 'DELETE' && isNotFound(exchange)) return exchange;
		throw this.failureOf(request, exchange, credential, attempts);
	}

	/** For an unusable response with a success status. */
	failure(request: ApiRequest, advice: Advice): NodeApiError {
		return serviceError(this.context.getNode(), request, { ...advice, mayHaveActed: true });
	}

	/** @param attempts how many were made; only told if there is no response */
	private failureOf(
		request: ApiRequest,
		exchange: Exchange,
		{ apiKey }: Credential,
		attempts = 1,
	): NodeApiError {
		const node = this.context.getNode();
		if (!('problem' in exchange)) {
			const failure = statusFailure(request, exchange, apiKey);
			return serviceError(node, request, {
				...failure,
				mayHaveActed: mayHaveActed(request, exchange),
			});
		}
		const detail = attempts > 1 ? `The request was tried ${attempts} times.` : undefined;
		return serviceError(node, request, { ...exchange, detail });
	}

	/** A request that a busy service refuses keeps its turn, so that the requests after it wait as well. */
	private async sendUntilAccepted(request: ApiRequest, credential: Credential): Promise<Exchange> {
		const { refusals } = this;
		for (;;) {
			await this.waitWhileBusy();
			const sentAt = monotonicNow();
			const exchange = await followRedirects(
				async (url) => await this.send(request, url, credential),
				credential.baseUrl + request.path,
				request.method,
			);
			if ('problem' in exchange) return exchange;
			if (!isRefusal(request, exchange)) {
				refusals.accepted();
				return exchange;
			}
			const isSentAgain = refusals.refused(exchange, sentAt);
			if (!isSentAgain) return exchange;
			this.onRepeat(this.failureOf(request, exchange, credential));
		}
	}

	/** Ends early if the signal aborts. */
	private async waitWhileBusy(): Promise<void> {
		const { refusals, signal } = this;
		// Other requests may prolong the pause meanwhile.
		while (refusals.msLeft > 0) {
			const isOver = await wait(refusals.msLeft, signal);
			if (!isOver) return;
		}
	}

	/** Sends one request, without following redirects, because n8n would send the key to any origin: see `followRedirects`. */
	private async send(
		{ method, body }: ApiRequest,
		url: string,
		{ apiKey }: Credential,
	): Promise<Exchange> {
		const { context, policy, signal, maxBytes } = this;
		const headers: Record<string, string> = { accept: JSON_TYPE };
		if (body) headers['content-type'] = JSON_TYPE;

		const callN8n = async (options: BoundedOptions): Promise<unknown> =>
			await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, options.abortSignal),
				CREDENTIAL_TYPE,
				{ ...options, method, url, body, headers },
			);
		const bounds = { timeout: policy.timeout, signal, maxBytes };
		const received = await requestWithinBounds(callN8n, bounds);

		if ('problem' in received) return received;
		const { status } = received;
		// Of an error, the beginning is enough.
		if (!received.isWhole && status < 300) return transportFailure('tooLarge');
		// The key is masked here, so that no output, log line or drop-down has it, whatever the service returns.
		const text = maskKey(received.body.toString('utf8'), apiKey);
		return { status, headers: received.headers, text, url };
	}
}

function isSuccess(exchange: Exchange): exchange is ApiResponse {
	return !('problem' in exchange) && exchange.status < 300;
}

function isNotFound(exchange: Exchange): exchange is ApiResponse {
	return !('problem' in exchange) && exchange.status === 404;
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
