import type { INode, NodeApiError } from 'n8n-workflow';
import { readCredential } from './credential';
import { redirectError, statusError, transportError, unreadableError } from './errors';
import type { ApiRequest, ApiResponse, Exchange } from './exchange';
import { RequestGate } from './gate';
import { secretsOfUrl } from './redaction';
import { PATIENT, delayBeforeRepeat, isNothingDone, type RetryPolicy } from './retry';
import { send } from './transport';
import type { ApiContext, EmailIdentityCredential } from './types';
import { wait } from './waiting';

export interface ClientOptions {
	/** Ends requests and waits early; without it, the cancelling of the execution does. */
	signal?: AbortSignal;
	/** What differs from the patience of an execution. */
	retry?: Partial<RetryPolicy>;
	/** How many requests may be under way at a time; no bound when left out. */
	maxConcurrentRequests?: number;
}

const MOST_REDIRECTS = 5;

/** These repeat the request as it is (RFC 9110, section 15.4); the others turn it into a GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Sends requests to the one service that the node's credential names, with patience. */
export class ApiClient {
	private readonly policy: RetryPolicy;

	private readonly signal: AbortSignal | undefined;

	private readonly gate: RequestGate;

	private credentialOnce: Promise<EmailIdentityCredential> | undefined;

	constructor(
		private readonly context: ApiContext,
		options: ClientOptions,
	) {
		this.policy = { ...PATIENT, ...options.retry };
		this.signal = options.signal ?? executionSignal(context);
		this.gate = new RequestGate(options.maxConcurrentRequests ?? Infinity, this.signal);
	}

	get node(): INode {
		return this.context.getNode();
	}

	/** @returns the base URL that every path is relative to */
	async baseUrl(): Promise<string> {
		return (await this.credential()).baseUrl;
	}

	/**
	 * Sends a request, repeating it where that is safe, until it succeeds.
	 *
	 * @param url instead of the request's own path: the address of a further page
	 * @throws NodeApiError that says what happened and what to do
	 */
	async request(request: ApiRequest, url?: string): Promise<ApiResponse> {
		const { baseUrl, apiKey } = await this.credential();
		const started = Date.now();
		let repeatedAfterLoss = false;
		for (let attempt = 1; ; attempt++) {
			const exchange = await this.gate.pass(
				async () => await this.exchange(request, url ?? baseUrl + request.path, baseUrl),
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
			if (delay === undefined || !(await wait(delay, this.signal))) {
				throw this.toError(request, exchange, attempt, apiKey);
			}
			repeatedAfterLoss ||= mayBeLost(exchange);
		}
	}

	/** @returns the error for an answer that says success and is not what was asked for */
	unreadable(request: ApiRequest, problem: string): NodeApiError {
		return unreadableError(this.node, request, problem);
	}

	private async credential(): Promise<EmailIdentityCredential> {
		this.credentialOnce ??= readCredential(this.context);
		return await this.credentialOnce;
	}

	/** One attempt, redirects within the base URL's origin included. */
	private async exchange(request: ApiRequest, url: string, baseUrl: string): Promise<Exchange> {
		let target = url;
		for (let redirects = 0; ; redirects++) {
			const exchange = await send(this.context, request, target, this.policy.timeout, this.signal);
			if ('failure' in exchange) return exchange;
			const next = redirectTarget(exchange.response);
			const isRepeatable = request.method === 'GET' || KEEPS_METHOD.has(exchange.response.status);
			if (!next || !isRepeatable || redirects === MOST_REDIRECTS) return exchange;
			if (next.origin !== new URL(baseUrl).origin) return exchange;
			target = next.href;
		}
	}

	private toError(
		request: ApiRequest,
		exchange: Exchange,
		attempts: number,
		apiKey: string,
	): NodeApiError {
		if ('failure' in exchange) {
			return transportError(this.node, request, exchange.failure, attempts);
		}
		const { response } = exchange;
		const { status, text } = response;
		const target = redirectTarget(response);
		if (target) return redirectError(this.node, request, status, target.origin);
		const secrets = [apiKey, ...secretsOfUrl(String(request.body?.url ?? ''))];
		return statusError(this.node, request, { status, text, secrets, attempts });
	}
}

function executionSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

function redirectTarget({ status, headers, url }: ApiResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && location !== undefined;
	return isRedirect && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

function isNotFound(exchange: Exchange): exchange is { response: ApiResponse } {
	return 'response' in exchange && exchange.response.status === 404;
}

function mayBeLost(exchange: Exchange): boolean {
	return 'failure' in exchange
		? exchange.failure.mayHaveActed
		: !isNothingDone(exchange.response.status);
}
