import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a load balancer in front of webhook processors does, and no more. */
export interface RoundRobinProxy {
	readonly url: string;
	/** Requests go to these ports of this machine in turn. */
	serve(ports: number[]): void;
	stop(): Promise<void>;
}

/**
 * Starts a proxy that gives each request to the next of its targets. One that refuses the connection has
 * got nothing of the request, so the next one is asked; whatever else fails is answered 502, as the
 * target may have acted.
 */
export async function startRoundRobinProxy(): Promise<RoundRobinProxy> {
	const agent = new Agent({ keepAlive: true });
	let ports: number[] = [];
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		const first = turn++;
		const inTurn = ports.map((_, offset) => ports[(first + offset) % ports.length]!);
		forward(agent, inTurn, incoming, outgoing).catch(() => outgoing.destroy());
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
		serve: (targets) => {
			ports = targets;
		},
		stop: async () => {
			agent.destroy();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function forward(
	agent: Agent,
	ports: number[],
	incoming: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
	for (const port of ports) {
		try {
			const answer = await send(agent, port, incoming, body);
			const content = Buffer.concat((await answer.toArray()) as Buffer[]);
			outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
			outgoing.end(content);
			return;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') break;
		}
	}
	outgoing.writeHead(502).end();
}

async function send(
	agent: Agent,
	port: number,
	{ method, url, headers }: IncomingMessage,
	body: Buffer,
): Promise<IncomingMessage> {
	return await new Promise((resolve, reject) => {
		const options = { agent, host: '127.0.0.1', port, method, path: url };
		const passing = { ...withoutConnection(headers), 'content-length': body.length };
		const outgoing = request({ ...options, headers: passing }, resolve);
		outgoing.once('error', reject);
		outgoing.end(body);
	});
}

/** Headers that are between two neighbours only. */
const BETWEEN_NEIGHBOURS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function withoutConnection(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
	const passing = Object.entries(headers).filter(([name]) => !BETWEEN_NEIGHBOURS.has(name));
	return Object.fromEntries(passing);
}

async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}
