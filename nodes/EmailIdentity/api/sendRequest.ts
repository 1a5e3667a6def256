import { requestWithinBounds } from './boundedRequest';
import { CREDENTIAL_TYPE } from './credential';
import { TOO_LARGE, type TransportFailure } from './transportFailures';
import type { ApiContext, ApiRequest, ApiResponse, Subject } from './types';

/** Either an answer or the reason why there is none. */
export type Exchange = { response: ApiResponse } | { failure: TransportFailure };

const MEGABYTE = 1024 * 1024;

/**
 * How much of an answer is read, in bytes: several times what is to be expected. 128 MB are a list of 100,000 identities
 * with all their DNS records, or a raw email of 50 MB that JSON doubles.
 */
export const LARGEST_ANSWER: Readonly<Record<Subject, number>> = {
	user: MEGABYTE,
	identity: 4 * MEGABYTE,
	webhook: 4 * MEGABYTE,
	identities: 128 * MEGABYTE,
	webhooks: 128 * MEGABYTE,
	message: 128 * MEGABYTE,
};

/** What is behind this in the answer of a failure is left unread: nothing of it would be told. */
const LARGEST_FAILURE = MEGABYTE;

const JSON_CONTENT = { 'content-type': 'application/json' };

/**
 * Sends one request once, with the credential, and takes whatever comes back as text.
 *
 * Redirects are not followed here: n8n would send the key along, to any origin. When the time is over, the signal is
 * aborted or the answer is larger than {@link LARGEST_ANSWER}, the connection is closed: nothing arrives any more.
 *
 * @param url absolute, below the base URL's origin
 * @param timeout milliseconds until the whole answer has to be there
 * @param signal ends the request early
 */
export async function sendRequest(
	context: ApiContext,
	request: ApiRequest,
	url: string,
	timeout: number,
	signal?: AbortSignal,
): Promise<Exchange> {
	const exchange = await requestWithinBounds(
		async (options) =>
			await context.helpers.httpRequestWithAuthentication.call(
				handingOver(context, options.abortSignal),
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
			timeout,
			signal,
			largestAnswer: (status) =>
				isFailure(status) ? LARGEST_FAILURE : LARGEST_ANSWER[request.subject],
		},
	);
	if ('failure' in exchange) return exchange;
	const { status, headers, body, isWhole } = exchange.response;
	if (!isWhole && !isFailure(status)) return { failure: TOO_LARGE };
	return { response: { status, headers, text: body.toString('utf8'), url } };
}

function isFailure(status: number): boolean {
	return status >= 300;
}

/**
 * In executions n8n-core puts the execution's own signal in the place of the one in the options (`authentication.js`),
 * so that a timeout would leave the request running. It asks the context for it: this one gives ours.
 */
function handingOver(context: ApiContext, signal: AbortSignal): ApiContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ApiContext;
}
