import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { whenAborted } from './cancellation';
import { CREDENTIAL_TYPE } from './credential';
import {
	CANCELLED,
	TIMED_OUT,
	TOO_LARGE,
	toTransportFailure,
	type TransportFailure,
} from './transportFailures';
import type { ApiContext, Subject } from './types';

/** One request to the service. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, starting with a slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
}

/** What the service answered, before anything is read out of it. */
export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The address that answered: the base for relative links. */
	url: string;
}

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

/** A body that is still arriving. */
type Stream = AsyncIterable<Uint8Array> & { destroy(): void };

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** One request under way, and the means to end it. */
interface UnderWay {
	/** Aborts the request for good, so that its connection is closed. */
	ended: AbortController;
	/** The body that arrives, once it does. */
	body?: Stream;
}

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
	if (signal?.aborted) return { failure: { ...CANCELLED, mayHaveActed: false } };
	const underWay: UnderWay = { ended: new AbortController() };
	const cancelled = whenAborted(signal);
	// The socket's own timeout starts again with every byte, so that a trickle would never end.
	const expired = whenAborted(AbortSignal.timeout(timeout));
	let isAnswered = false;
	const answer = exchange(context, request, url, timeout, underWay).finally(() => {
		isAnswered = true;
	});
	try {
		return await Promise.race<Exchange>([
			answer,
			cancelled.promise.then(() => ({ failure: CANCELLED })),
			expired.promise.then(() => ({ failure: TIMED_OUT })),
		]);
	} finally {
		cancelled.stop();
		expired.stop();
		// Aborting makes an error with a stack, which is wasted on a request that has ended.
		if (!isAnswered) {
			underWay.ended.abort();
			underWay.body?.destroy();
		}
	}
}

async function exchange(
	context: ApiContext,
	request: ApiRequest,
	url: string,
	timeout: number,
	underWay: UnderWay,
): Promise<Exchange> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url,
		body: request.body,
		headers: { accept: 'application/json', ...(request.body && JSON_CONTENT) },
		// n8n bounds no answer's size: only who reads it piece by piece can stop.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		abortSignal: underWay.ended.signal,
	};
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			handingOver(context, underWay.ended.signal),
			CREDENTIAL_TYPE,
			options,
		)) as FullResponse;
		const { statusCode: status, headers, body } = answer;
		const isFailure = status >= 300;
		const bound = isFailure ? LARGEST_FAILURE : LARGEST_ANSWER[request.subject];
		const { text, isWhole } = await readText(body, bound, underWay);
		if (!isWhole && !isFailure) return { failure: TOO_LARGE };
		return { response: { status, headers: toTexts(headers), text, url } };
	} catch (error) {
		return { failure: toTransportFailure(error) };
	}
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

/** Reads a body up to a number of bytes; a longer one is cut there, and its connection closed. */
async function readText(
	body: unknown,
	bound: number,
	underWay: UnderWay,
): Promise<{ text: string; isWhole: boolean }> {
	// Ended while the headers arrived.
	if (isStream(body) && underWay.ended.signal.aborted) body.destroy();
	if (!isStream(body)) return { text: typeof body === 'string' ? body : '', isWhole: true };
	underWay.body = body;
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > bound) break;
	}
	const text = Buffer.concat(pieces).subarray(0, bound).toString('utf8');
	return { text, isWhole: size <= bound };
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function toTexts(headers: Record<string, unknown>): ApiResponse['headers'] {
	const pairs = Object.entries(headers).map(([name, value]) => [
		name.toLowerCase(),
		Array.isArray(value) ? value.join(', ') : String(value),
	]);
	return Object.fromEntries(pairs) as ApiResponse['headers'];
}
