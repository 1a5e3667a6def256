import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Counts what workflows really did, outside of n8n: one request to `url` + the message for each. */
export interface EndResults {
	readonly url: string;
	readonly messages: string[];
	stop(): Promise<void>;
}

export async function countEndResults(): Promise<EndResults> {
	const messages: string[] = [];
	const server = createServer((request, response) => {
		messages.push(decodeURIComponent((request.url ?? '').slice(1)));
		response.setHeader('content-type', 'application/json');
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		messages,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
