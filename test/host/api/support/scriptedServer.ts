import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer, down to the bytes: what a framework would not let a server do wrong. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ScriptedServer {
	origin: string;
	/** Method and path of every request that arrived, in order. */
	requests: string[];
	/** Every `Authorization` header that arrived. */
	keys: Array<string | undefined>;
	stop(): Promise<void>;
}

/**
 * Starts a server that gives its answers in order; the last one is repeated.
 */
export async function startScriptedServer(...answers: Answer[]): Promise<ScriptedServer> {
	const requests: string[] = [];
	const keys: Array<string | undefined> = [];
	const server = createServer((request, response) => {
		const answer = answers[Math.min(requests.length, answers.length - 1)];
		requests.push(`${request.method} ${request.url}`);
		keys.push(request.headers.authorization);
		request.resume().on('end', () => answer?.(request, response));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		keys,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export const json =
	(body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
	(_request, response) =>
		void response
			.writeHead(status, { 'content-type': 'application/json', ...headers })
			.end(JSON.stringify(body));

export const text =
	(body: string | Buffer, status = 200, headers: Record<string, string> = {}): Answer =>
	(_request, response) =>
		void response.writeHead(status, headers).end(body);

/** Breaks the connection after the request arrived. */
export const reset: Answer = (request) => request.socket.destroy();

/** Promises more bytes than it sends. */
export const brokenOff: Answer = (request, response) => {
	response.writeHead(200, { 'content-length': '1000' });
	response.write('{"id":', () => request.socket.destroy());
};

/** Sends a byte now and then, for ever. */
export const trickle: Answer = (request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 20);
	request.socket.on('close', () => clearInterval(timer));
};
