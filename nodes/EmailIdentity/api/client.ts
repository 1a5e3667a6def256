import { Turns } from '../lib/concurrency';
import { CREDENTIAL_TYPE, readCredential } from './credential';
import { ServiceError, statusFailure } from './errors';
import { secretsOfUrl } from './redaction';
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
import type {
	Advice,
	ApiContext,
	ApiRequest,
	ApiResponse,
	EmailIdentityCredential,
	Subject,
} from './types';

const MEGABYTE = 1024 * 1024;

/**
 * Bytes that are read of an answer. 128 MB are a list of 100,000 identities with all their DNS records, or a raw email of
 * 50 MB that JSON doubles.
 */
export const MAX_ANSWER: Readonly<Record<Subject, number>> = {
	user: MEGABYTE,
	identity: 4 * MEGABYTE,
	webhook: 4 * MEGABYTE,
	identities: 128 * MEGABYTE,
	webhooks: 128 * MEGABYTE,
	message: 128 * MEGABYTE,
};

/** The rest of an error's body is left unread: none of it would be shown. */
const MAX_FAILURE = MEGABYTE;

const MAX_CONCURRENT_REQUESTS = 20;

const JSON_CONTENT = { 'content-type': 'application/json' };

export interface ClientOptions {
	/** Ends requests and waits early; without it, the cancelling of the execution does. */
	signal?: AbortSignal;
	/** Differences from the patience of an execution. */
	retry?: Partial<RetryPolicy>;
	maxConcurrentRequests?: number;
}

/** Sends requests to the one service that the node's credential names, with patience. */
export class Client {
	private readonly policy: RetryPolicy;

	private readonly signal: AbortSignal | undefined;

	private readonly turns: Turns;

	private readonly refusals: RefusalPause;

	private apiKey = '';

	private credentialOnce: Promise<EmailIdentityCredential> | undefined;

	constructor(
		private readonly context: ApiContext,
		options: ClientOptions,
	) {
		this.policy = { ...PATIENT, ...options.retry };
		this.signal = options.signal ?? executionSignal(context);
		this.turns = new Turns(options.maxConcurrentRequests ?? MAX_CONCURRENT_REQUESTS);
		this.refusals = new RefusalPause(this.policy);
	}

	async credential(): Promise<EmailIdentityCredential> {
		this.credentialOnce ??= readCredential(this.context);
		return await this.credentialOnce;
	}

	/**
	 * Sends a request, repeating it where that is safe, until it succeeds.
	 *
	 * @param url instead of the request's own path: the address of a further page
	 * @throws ServiceError that says what happened and what to do
	 */
	async request(request: ApiRequest, url?: string): Promise<ApiResponse> {
		const { baseUrl, apiKey } = await this.credential();
		this.apiKey = apiKey;
		const started = Date.now();
		let repeatedAfterLoss = false;
		for (let attempt = 1; ; attempt++) {
			const exchange = await this.turns.run(
				async () => await this.sendUntilAccepted(request, url ?? baseUrl + request.path),
			);
			if ('response' in exchange) {
				const { status } = exchange.response;
				// A repeated deletion that finds nothing has reached its aim: the lost answer was a success.
				const isGone = repeatedAfterLoss && request.method === 'DELETE' && status === 404;
				if (status < 300 || isGone) return exchange.response;
			}
			const elapsed = Date.now() - started;
			const delay = delayBeforeRepeat(request, exchange, attempt, elapsed, this.policy);
			const isRepeated = delay !== undefined && (await wait(delay, this.signal));
			if (!isRepeated || !(await mayRepeat(request, exchange))) {
				throw this.toError(request, exchange, attempt);
			}
			repeatedAfterLoss ||= mayHaveActed(exchange);
		}
	}

	/** The error for an answer that cannot be used although its status is one of success. */
	failure(request: ApiRequest, advice: Advice, detail: string | undefined): ServiceError {
		const failure = { advice, details: [detail], mayHaveActed: true };
		return new ServiceError(this.context.getNode(), request, failure);
	}

	/** Secrets that must not occur in an error about a request. */
	secretsIn({ body }: ApiRequest): string[] {
		return [this.apiKey, ...secretsOfUrl(String(body?.url ?? ''))];
	}

	/** Refused requests keep their turn, so that those behind them wait as well. */
	private async sendUntilAccepted(request: ApiRequest, address: string): Promise<Exchange> {
		for (;;) {
			while (this.refusals.left > 0) {
				if (!(await wait(this.refusals.left, this.signal))) break;
			}
			const sentAt = Date.now();
			const exchange = await followRedirects(
				async (target) => await this.sendOnce(request, target),
				address,
				request.method,
			);
			if ('failure' in exchange) return exchange;
			const { response } = exchange;
			if (!isRefusal(response)) {
				this.refusals.accepted();
				return exchange;
			}
			if (!this.refusals.refused(response, sentAt)) return exchange;
		}
	}

	/** Does not follow redirects: n8n would send the key along, to any origin. */
	private async sendOnce(request: ApiRequest, url: string): Promise<Exchange> {
		const { context } = this;
		const exchange = await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, options.abortSignal),
					CREDENTIAL_TYPE,
					{
						...options,
						method: request.method,
						url,
						body: request.body,
						headers: { accept: 'application/json', ...(request.body && JSON_CONTENT) },
					},
				),
			{
				timeout: this.policy.timeout,
				signal: this.signal,
				largestAnswer: (status) => (isFailure(status) ? MAX_FAILURE : MAX_ANSWER[request.subject]),
			},
		);
		if ('failure' in exchange) return exchange;
		const { status, headers, body, isWhole } = exchange.response;
		if (!isWhole && !isFailure(status)) return { failure: transportFailure('tooLarge') };
		return { response: { status, headers, text: body.toString('utf8'), url } };
	}

	private toError(request: ApiRequest, exchange: Exchange, attempts: number): ServiceError {
		const tries = attempts > 1 ? `The request was tried ${attempts} times.` : undefined;
		const failure =
			'failure' in exchange
				? { advice: exchange.failure.advice, details: [tries] }
				: statusFailure(request, exchange.response, this.secretsIn(request));
		const facts = { ...failure, mayHaveActed: mayHaveActed(exchange) };
		return new ServiceError(this.context.getNode(), request, facts);
	}
}

const isFailure = (status: number): boolean => status >= 300;

/**
 * In executions n8n-core puts the execution's own signal in the place of the one in the options (`authentication.js`),
 * so that a timeout would leave the request running. It asks the context for it: this one gives ours.
 */
function withSignal(context: ApiContext, signal: AbortSignal): ApiContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ApiContext;
}

/** A creation that may have been done is looked for first; where that cannot be, it is not repeated. */
async function mayRepeat({ method, isUndone }: ApiRequest, exchange: Exchange): Promise<boolean> {
	if (method !== 'POST' || !mayHaveActed(exchange)) return true;
	return isUndone !== undefined && (await isUndone().catch(() => false));
}
