import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createInflate } from 'node:zlib';

/** The parts of n8n's request object that a webhook node may use. */
export interface WebhookRequest extends IncomingMessage {
	body?: unknown;
	query: Record<string, string>;
}

/** The parts of Express's response that a webhook node may use. */
export interface WebhookResponse extends ServerResponse {
	status(code: number): WebhookResponse;
	json(body: unknown): WebhookResponse;
	send(body?: unknown): WebhookResponse;
}

const PARSED_TYPES: Record<string, (text: string) => unknown> = {
	'application/json': (text) => JSON.parse(text),
	'text/plain': (text) => text,
	'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
};

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
	gzip: createGunzip,
	deflate: createInflate,
};

/** Gives a request what n8n's middlewares give it (`middlewares/body-parser.js`). */
export function asWebhookRequest(message: IncomingMessage): WebhookRequest {
	const request = message as WebhookRequest;
	const address = new URL(message.url ?? '/', 'http://localhost');
	const [type, ...parameters] = (message.headers['content-type'] ?? '').split(';');
	if (type) {
		request.contentType = type.toLowerCase();
		const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
		request.encoding = (charset?.split('=')[1]?.toLowerCase() ?? 'utf-8') as BufferEncoding;
	}
	request.query = Object.fromEntries(address.searchParams);
	request.readRawBody = async () => {
		if (request.rawBody !== undefined) return;
		const decoder = DECODERS[message.headers['content-encoding'] ?? ''];
		const stream = decoder === undefined ? message : message.pipe(decoder());
		request.rawBody = await buffer(stream as Readable);
	};
	return request;
}

/**
 * Reads the body as n8n does before a node of version 2 runs (`webhooks/webhook-helpers.js`, `parseRequestBody`):
 * nothing is read under a type that n8n does not parse. Throws for broken JSON, which n8n answers with 422.
 */
export async function parseRequestBody(request: WebhookRequest): Promise<void> {
	const parse = PARSED_TYPES[request.contentType ?? ''];
	if (parse === undefined) return;
	await request.readRawBody();
	if (!request.rawBody?.length) return;
	const text = request.rawBody.toString(request.encoding);
	request.body = parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

/** Gives a response the methods of Express that nodes call. */
export function asWebhookResponse(message: ServerResponse): WebhookResponse {
	const response = message as WebhookResponse;
	response.status = (code) => {
		response.statusCode = code;
		return response;
	};
	response.json = (body) => {
		if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(body));
		return response;
	};
	response.send = (body) => {
		if (body !== null && typeof body === 'object' && !Buffer.isBuffer(body)) {
			return response.json(body);
		}
		response.end(body);
		return response;
	};
	return response;
}
