import type { INode, NodeApiError } from 'n8n-workflow';
import { readCredential } from './credential';
import { executionSignal, wait } from './cancellation';
import {
	incompleteError,
	reportedFailureError,
	statusError,
	transportError,
	unreadableError,
	unseenCreationError,
} from './errors';
import { RequestLimiter } from './limiter';
import { secretsOfUrl } from './redaction';
import { followRedirects, redirectTarget } from './redirects';
import { PATIENT, delayBeforeRepeat, isNothingDone, type RetryPolicy } from './retry';
import { sendRequest, type Exchange } from './sendRequest';
import type { ApiContext, ApiRequest, ApiResponse, EmailIdentityCredential } from './types';

export interface ClientOptions {
	/** Ends requests and waits early; without it, the cancelling of the execution does. */
	signal?: AbortSignal;
	/** What differs from the patience of an execution. */
	retry?: Partial<RetryPolicy>;
	/** How many requests may be under way at a time; no bound when left out. */
	maxConcurrentRequests?: number;
}

/** Sends requests to the one service that the node's credential names, with patience. */
export class HttpClient {
	private readonly policy: RetryPolicy;

	private readonly signal: AbortSignal | undefined;

	private readonly limiter: RequestLimiter;

	private apiKey = '';

	private credentialOnce: Promise<EmailIdentityCredential> | undefined;

	constructor(
		private readonly context: ApiContext,
		options: ClientOptions,
	) {
		this.policy = { ...PATIENT, ...options.retry };
		this.signal = options.signal ?? executionSignal(context);
		this.limiter = new RequestLimiter(options.maxConcurrentRequests ?? Infinity, this.signal);
	}

	get node(): INode {
		return this.context.getNode();
	}

	/** What the node's credential holds; read once. */
	async credential(): Promise<EmailIdentityCredential> {
		this.credentialOnce ??= readCredential(this.context);
		return await this.credentialOnce;
	}

	/**
	 * Sends a request, repeating it where that is safe, until it succeeds.
	 *
	 * @param url instead of the request's own path: the address of a further page
	 * @throws NodeApiError that says what happened and what to do
	 */
	async request(request: ApiRequest, url?: string): Promise<ApiResponse> {
		const { baseUrl, apiKey } = await this.credential();
		this.apiKey = apiKey;
		const started = Date.now();
		let repeatedAfterLoss = false;
		for (let attempt = 1; ; attempt++) {
			const exchange = await this.limiter.send(
				async () => await this.exchange(request, url ?? baseUrl + request.path),
			);
			if ('response' in exchange && exchange.response.status < 300) {
				return exchange.response;
			}
			// A repeated deletion that finds nothing has reached its aim: the lost answer was a success.
			if (repeatedAfterLoss && request.method === 'DELETE' && isNotFound(exchange)) {
				return exchange.response;
			}
			const delay = delayBeforeRepeat(
				request,
				exchange,
				attempt,
				Date.now() - started,
				this.policy,
			);
			const isRepeated = delay !== undefined && (await wait(delay, this.signal));
			if (!isRepeated || !(await mayRepeat(request, exchange))) {
				throw this.toError(request, exchange, attempt);
			}
			repeatedAfterLoss ||= mayBeLost(exchange);
		}
	}

	/** @returns the error for an answer that says success and is not what was asked for */
	unreadable(request: ApiRequest, problem: string): NodeApiError {
		return unreadableError(this.node, request, problem);
	}

	/** @returns the error for a creation that the answer does not show, where it cannot be looked up either */
	unseenCreation(request: ApiRequest, cause: Error): NodeApiError {
		return unseenCreationError(this.node, request, cause);
	}

	/** @returns the error for a list of which only a part can be had */
	incomplete(request: ApiRequest, problem: string): NodeApiError {
		return incompleteError(this.node, request, problem);
	}

	/** @returns the error for an answer that reports a failure with a status of success */
	reportedFailure(request: ApiRequest, { text }: ApiResponse): NodeApiError {
		return reportedFailureError(this.node, request, text, this.secretsIn(request));
	}

	/** What must occur in no error about a request. */
	private secretsIn({ body }: ApiRequest): string[] {
		return [this.apiKey, ...secretsOfUrl(String(body?.url ?? ''))];
	}

	/** One attempt. */
	private async exchange(request: ApiRequest, address: string): Promise<Exchange> {
		const { timeout } = this.policy;
		return await followRedirects(
			async (target) => await sendRequest(this.context, request, target, timeout, this.signal),
			address,
			request.method,
		);
	}

	private toError(request: ApiRequest, exchange: Exchange, attempts: number): NodeApiError {
		if ('failure' in exchange) {
			return transportError(this.node, request, exchange.failure, attempts);
		}
		const { response } = exchange;
		const { status, text, headers } = response;
		const redirect = redirectTarget(response);
		const secrets = this.secretsIn(request);
		const answer = { status, text, headers, redirect, secrets, attempts };
		return statusError(this.node, request, answer);
	}
}

function isNotFound(exchange: Exchange): exchange is { response: ApiResponse } {
	return 'response' in exchange && exchange.response.status === 404;
}

function mayBeLost(exchange: Exchange): boolean {
	return 'failure' in exchange ? exchange.failure.mayHaveActed : !isNothingDone(exchange.response);
}

/** A creation that may have been done is looked for first; where that cannot be, it is not repeated. */
async function mayRepeat({ method, isUndone }: ApiRequest, exchange: Exchange): Promise<boolean> {
	if (method !== 'POST' || !mayBeLost(exchange)) return true;
	return isUndone !== undefined && (await isUndone().catch(() => false));
}
