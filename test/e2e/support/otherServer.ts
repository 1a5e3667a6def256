import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ReceivedRequest {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A server that is not the service. */
export interface OtherServer {
	url: string;
	requests: ReceivedRequest[];
	stop(): Promise<void>;
}

/** Starts a server that answers every request with JSON and status 200. */
export async function startOtherServer(
	answer: (request: ReceivedRequest) => unknown = () => ({ ok: true }),
): Promise<OtherServer> {
	const requests: ReceivedRequest[] = [];
	const server = createServer(async (incoming, response) => {
		const { url: path = '', headers } = incoming;
		const request = { path, headers, body: await text(incoming) };
		requests.push(request);
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify((await answer(request)) ?? {}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
