import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { identity, message, numberedUuid } from './answers';

export const API_KEY = 'key-of-the-benchmarks';

/** How the service behaves; can be changed while it runs. */
export interface Behaviour {
	/** Milliseconds before every answer. */
	latency: number;
	/** More requests than this at once are answered 429 with `Retry-After: 1`. */
	mostAtOnce: number;
	/** How many identities there are. */
	identities: number;
}

export interface SlowService {
	baseUrl: string;
	behaviour: Behaviour;
	/** Requests since the last call. */
	countRequests(): number;
	stop(): Promise<void>;
}

/** A service with a latency and a limit of requests at once. */
export async function startSlowService(): Promise<SlowService> {
	const behaviour: Behaviour = { latency: 0, mostAtOnce: Infinity, identities: 0 };
	const lists = new Map<number, string>();
	let requests = 0;
	let atOnce = 0;

	const identities = (): string => {
		const count = behaviour.identities;
		const known =
			lists.get(count) ??
			JSON.stringify({
				success: true,
				data: Array.from({ length: count }, (_, at) => identity(at)),
			});
		lists.set(count, known);
		return known;
	};
	const bodyFor = (path: string): string => {
		if (path === '/api/identities') return identities();
		if (path === '/api/me')
			return JSON.stringify({ success: true, data: { id: numberedUuid('owner', 1) } });
		return JSON.stringify({ success: true, data: message(path.split('/').at(-1) ?? '') });
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		requests += 1;
		if (atOnce >= behaviour.mostAtOnce) {
			response.writeHead(429, { 'retry-after': '1' }).end();
			return;
		}
		atOnce += 1;
		response.once('close', () => (atOnce -= 1));
		if (behaviour.latency > 0) await pause(behaviour.latency);
		response.setHeader('content-type', 'application/json');
		response.end(bodyFor(request.url ?? ''));
	};
	const server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/api`,
		behaviour,
		countRequests() {
			const counted = requests;
			requests = 0;
			return counted;
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
