import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is not the service. */
export interface OtherServer {
	url: string;
	/** what it was sent */
	requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
	stop(): Promise<void>;
}

/** Starts a server that answers every request with the same body and status 200. */
export async function startOtherServer(contentType: string, body: string): Promise<OtherServer> {
	const requests: OtherServer['requests'] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { url: path = '', headers } = request;
			requests.push({ path, headers, body: Buffer.concat(chunks).toString() });
			response.setHeader('content-type', contentType);
			response.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
