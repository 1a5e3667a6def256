import { whenAborted } from './cancellation';
import {
	CANCELLED,
	TIMED_OUT,
	toTransportFailure,
	type TransportFailure,
} from './transportFailures';

/** What n8n's request helpers have to be told, so that a request keeps within its bounds. */
export interface BoundedOptions {
	/** n8n bounds no answer's size: only who reads it piece by piece can stop. */
	encoding: 'stream';
	returnFullResponse: true;
	ignoreHttpStatusErrors: true;
	disableFollowRedirect: true;
	timeout: number;
	abortSignal: AbortSignal;
}

export interface RequestBounds {
	/** Milliseconds until the whole answer has to be there. */
	timeout: number;
	/** Ends the request early. */
	signal?: AbortSignal;
	/** How much is read of an answer with this status, in bytes; the rest is left unread. */
	largestAnswer(status: number): number;
}

/** What came back, before anything is read out of it. */
export interface BoundedResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	body: Buffer;
	/** False where there was more than the bound. */
	isWhole: boolean;
}

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
 * Sends one request once, and takes whatever comes back. When the time is over, the signal is aborted or the answer is
 * too large, the connection is closed: nothing arrives any more.
 *
 * @param send hands the options on to one of n8n's request helpers, with those of its own
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, largestAnswer }: RequestBounds,
): Promise<{ response: BoundedResponse } | { failure: TransportFailure }> {
	if (signal?.aborted) return { failure: { ...CANCELLED, mayHaveActed: false } };
	const underWay: UnderWay = { ended: new AbortController() };
	const cancelled = whenAborted(signal);
	// The socket's own timeout starts again with every byte, so that a trickle would never end.
	const expired = whenAborted(AbortSignal.timeout(timeout));
	let isAnswered = false;
	const answer = exchange(send, timeout, largestAnswer, underWay).finally(() => {
		isAnswered = true;
	});
	try {
		return await Promise.race([
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
	send: (options: BoundedOptions) => Promise<unknown>,
	timeout: number,
	largestAnswer: RequestBounds['largestAnswer'],
	underWay: UnderWay,
): Promise<{ response: BoundedResponse } | { failure: TransportFailure }> {
	try {
		const answer = (await send({
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			abortSignal: underWay.ended.signal,
		})) as FullResponse;
		const { statusCode: status } = answer;
		const read = await readBody(answer.body, largestAnswer(status), underWay);
		return { response: { status, headers: toTexts(answer.headers), ...read } };
	} catch (error) {
		return { failure: toTransportFailure(error) };
	}
}

/** Reads a body up to a number of bytes; a longer one is cut there, and its connection closed. */
async function readBody(
	body: unknown,
	bound: number,
	underWay: UnderWay,
): Promise<{ body: Buffer; isWhole: boolean }> {
	// Ended while the headers arrived.
	if (isStream(body) && underWay.ended.signal.aborted) body.destroy();
	if (!isStream(body)) {
		return { body: Buffer.from(typeof body === 'string' ? body : ''), isWhole: true };
	}
	underWay.body = body;
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > bound) break;
	}
	return { body: Buffer.concat(pieces).subarray(0, bound), isWhole: size <= bound };
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function toTexts(headers: Record<string, unknown>): BoundedResponse['headers'] {
	const pairs = Object.entries(headers).map(([name, value]) => [
		name.toLowerCase(),
		Array.isArray(value) ? value.join(', ') : String(value),
	]);
	return Object.fromEntries(pairs) as BoundedResponse['headers'];
}
