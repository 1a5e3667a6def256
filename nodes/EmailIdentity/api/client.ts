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
 * Bytes to read of a response. 128 MB hold a list of 100,000 identities with all their DNS records, or a raw email of
 * 50 MB, which JSON doubles.
 */
export const MAX_ANSWER: Readonly<Record<Subject, number>> = {
	user: MEGABYTE,
	identity: 4 * MEGABYTE,
	webhook: 4 * MEGABYTE,
	identities: 128 * MEGABYTE,
	webhooks: 128 * MEGABYTE,
	message: 128 * MEGABYTE,
};

/** The rest of an error's body would not be shown. */
const MAX_FAILURE = MEGABYTE;

const MAX_CONCURRENT_REQUESTS = 20;

const JSON_CONTENT = { 'content-type': 'application/json' };

export interface ClientOptions {
	/** Ends requests and waits early; default: the cancel signal of the execution. */
	signal?: AbortSignal;
	/** Differences from the retry policy of executions. */
	retry?: Partial<RetryPolicy>;
	maxConcurrentRequests?: number;
}

/** Sends requests to the service in the node's credential, and retries them. */
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
	 * Sends a request, and repeats it until it succeeds if that is safe.
	 *
	 * @param url of a further page; replaces the request's path
	 * @throws ServiceError
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
				// If a repeated deletion finds nothing, the first one succeeded.
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

	/** The error for an unusable response with a success status. */
	failure(request: ApiRequest, advice: Advice, detail: string | undefined): ServiceError {
		const failure = { advice, details: [detail], mayHaveActed: true };
		return new ServiceError(this.context.getNode(), request, failure);
	}

	/** Secrets that must not appear in an error about a request. */
	secretsIn({ body }: ApiRequest): string[] {
		return [this.apiKey, ...secretsOfUrl(String(body?.url ?? ''))];
	}

	/** Refused requests keep their turn, so that requests behind them wait as well. */
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

	/** Does not follow redirects because n8n would send the key to any origin. */
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
 * In executions, n8n-core replaces the signal in the options with the signal from the context (`authentication.js`), so a
 * timeout would leave the request running. This context returns our signal.
 */
function withSignal(context: ApiContext, signal: AbortSignal): ApiContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ApiContext;
}

/** An uncertain creation is only repeated if `isUndone` confirms that nothing was created. */
async function mayRepeat({ method, isUndone }: ApiRequest, exchange: Exchange): Promise<boolean> {
	if (method !== 'POST' || !mayHaveActed(exchange)) return true;
	return isUndone !== undefined && (await isUndone().catch(() => false));
}
