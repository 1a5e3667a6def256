import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that nodes ask: on two ports, which are two origins. */
export class StandIn {
	/** the `Authorization` that came with each request, by `first` and `second` origin and path */
	readonly received: { origin: 'first' | 'second'; path: string; authorization?: string }[] = [];

	private constructor(private readonly servers: Server[]) {}

	static async start(): Promise<StandIn> {
		const standIn: StandIn = new StandIn([
			createServer((request, response) => standIn.answer('first', request, response)),
			createServer((request, response) => standIn.answer('second', request, response)),
		]);
		for (const server of standIn.servers) {
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		}
		return standIn;
	}

	/** `/hang` is never answered, `/redirect` leads to the second origin. */
	url(path: string): string {
		return `http://127.0.0.1:${this.port(0)}${path}`;
	}

	async stop(): Promise<void> {
		for (const server of this.servers) {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	}

	private port(index: number): number {
		return (this.servers[index]!.address() as AddressInfo).port;
	}

	private answer(
		origin: 'first' | 'second',
		{ url: path = '', headers: { authorization } }: IncomingMessage,
		response: ServerResponse,
	): void {
		this.received.push({ origin, path, authorization });
		if (path === '/hang') return;
		if (path === '/redirect') {
			response.writeHead(302, { location: `http://127.0.0.1:${this.port(1)}/target` }).end();
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":true}');
	}
}
