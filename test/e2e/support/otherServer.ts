import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is not the service: it answers every request with the same body and status 200. */
export async function startOtherServer(
	contentType: string,
	body: string,
): Promise<{ url: string; stop(): Promise<void> }> {
	const server = createServer((_, response) => {
		response.setHeader('content-type', contentType);
		response.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
