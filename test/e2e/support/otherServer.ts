import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is not the service. */
export interface OtherServer {
	url: string;
	/** the bodies of what it was sent */
	received: string[];
	stop(): Promise<void>;
}

/** Starts a server that answers every request with the same body and status 200. */
export async function startOtherServer(contentType: string, body: string): Promise<OtherServer> {
	const received: string[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push(Buffer.concat(chunks).toString());
			response.setHeader('content-type', contentType);
			response.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
