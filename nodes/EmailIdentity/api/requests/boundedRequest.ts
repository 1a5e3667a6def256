import { requireLimit } from '../../../../lib/basics';
import type { ApiResponse } from '../request';
import {
	toTransportFailure,
	transportFailure,
	type TransportFailure,
} from '../failures/transportFailure';

export interface RequestBounds {
	/** Milliseconds for the complete response. */
	timeout: number;
	/** Ends the request; absent if it cannot be cancelled. */
	signal?: AbortSignal;
	/** The connection of a longer response is closed. */
	maxBytes: number;
}

/** Options for n8n's request helpers. */
export interface BoundedOptions {
	/** n8n does not limit the size of a response; only a stream can be stopped. */
	encoding: 'stream';
	returnFullResponse: true;
	ignoreHttpStatusErrors: true;
	disableFollowRedirect: true;
	/** Milliseconds. */
	timeout: number;
	/** Also aborts on timeout. */
	abortSignal: AbortSignal;
}

type Body = AsyncIterable<Uint8Array> & { destroy(): void };

/** A response as n8n's request helpers return it with these options. */
interface StreamedResponse {
	statusCode: number;
	headers: ApiResponse['headers'];
	body: Body;
}

interface ReceivedBody {
	/** At most `maxBytes`. */
	body: Buffer;
	/** False if the service sent more. */
	isWhole: boolean;
}

/** A response whose text is not decoded yet. */
export interface ReceivedResponse extends ReceivedBody {
	status: number;
	/** Names in lower case. */
	headers: ApiResponse['headers'];
}

/**
 * Closes the connection on timeout, on abort and if the response is too large.
 *
 * @param send passes these options and its own to one of n8n's request helpers
 */
export async function requestWithinBounds(
	send: (options: BoundedOptions) => Promise<unknown>,
	{ timeout, signal, maxBytes }: RequestBounds,
): Promise<ReceivedResponse | TransportFailure> {
	requireLimit('maxBytes', maxBytes);
	if (signal?.aborted) return { ...transportFailure('cancelled'), mayHaveActed: false };

	// The socket's timeout restarts with every byte, so a trickling response would never end.
	const expired = AbortSignal.timeout(timeout);
	const ended = AbortSignal.any(signal ? [expired, signal] : [expired]);
	const options: BoundedOptions = {
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		abortSignal: ended,
	};
	try {
		const response = (await send(options)) as StreamedResponse;
		const received = await readBody(response.body, maxBytes, ended);
		return { status: response.statusCode, headers: response.headers, ...received };
	} catch (error) {
		if (expired.aborted) return transportFailure('timeout');
		if (signal?.aborted) return transportFailure('cancelled');
		return toTransportFailure(error);
	}
}

async function readBody(body: Body, maxBytes: number, ended: AbortSignal): Promise<ReceivedBody> {
	const stop = () => body.destroy();
	if (ended.aborted) stop();
	ended.addEventListener('abort', stop);
	const pieces: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the stream.
	for await (const piece of body) {
		size += piece.length;
		pieces.push(piece);
		if (size > maxBytes) break;
	}
	ended.removeEventListener('abort', stop);
	const read = Buffer.concat(pieces).subarray(0, maxBytes);
	return { body: read, isWhole: size <= maxBytes };
}
