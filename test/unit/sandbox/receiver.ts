import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface HookReceiver {
	url: string;
	received: ReceivedRequest[];
	stop: () => Promise<void>;
}

/** Somewhere for deliveries to go: answers 200 and keeps what came. */
export async function startHookReceiver(): Promise<HookReceiver> {
	const received: ReceivedRequest[] = [];
	const server = createServer(async (request, response) => {
		const body = (await buffer(request)).toString();
		received.push({ url: request.url ?? '', headers: request.headers, body });
		response.end('thanks');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stop = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, stop };
}
