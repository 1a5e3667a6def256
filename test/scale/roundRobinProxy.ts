import {
	Agent,
	createServer,
	request,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a load balancer in front of webhook processors does, and no more. */
export interface RoundRobinProxy {
	readonly url: string;
	/** Requests go to these ports of this machine in turn, where n8n is ready. */
	serve(ports: number[]): void;
	/** The port that got the request with this `DELIVERY` header last; undefined when none took it. */
	receiverOf(delivery: string): number | undefined;
	stop(): Promise<void>;
}

/** A request with this header goes to the target of that number first: two at once reach both for sure. */
export const FIRST_TARGET = 'x-first-target';

/** Names a request, so that one can ask which target it went to. */
export const DELIVERY = 'x-delivery';

const CHECK_EVERY_MS = 500;

/**
 * Starts a proxy that gives each request to the next of its targets. One that refuses the connection has
 * got nothing of the request, so the next one is asked; whatever else fails is answered 502, as the
 * target may have acted. An n8n that starts answers 200 to everything before it takes deliveries, so
 * only those that say that they are ready get any.
 */
export async function startRoundRobinProxy(): Promise<RoundRobinProxy> {
	const agent = new Agent({ keepAlive: true });
	let ports: number[] = [];
	let turn = 0;
	const ready = new Set<number>();
	const receivers = new Map<string, number>();
	const check = async () => {
		await Promise.all(
			ports.map(async (target) => {
				if (await isReady(target)) ready.add(target);
				else ready.delete(target);
			}),
		);
	};
	const checks = setInterval(() => void check(), CHECK_EVERY_MS);
	const server = createServer((incoming, outgoing) => {
		const first = Number(incoming.headers[FIRST_TARGET] ?? turn++);
		const inTurn = ports.map((_, offset) => ports[(first + offset) % ports.length]!);
		const targets = inTurn.filter((target) => ready.has(target));
		const leaveOut = (target: number) => ready.delete(target);
		const given = (target: number) => receivers.set(String(incoming.headers[DELIVERY]), target);
		forward({ agent, targets, leaveOut, given }, incoming, outgoing).catch(() =>
			outgoing.destroy(),
		);
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
		serve: (targets) => {
			ports = targets;
			targets.forEach((target) => ready.add(target));
		},
		receiverOf: (delivery) => receivers.get(delivery),
		stop: async () => {
			clearInterval(checks);
			agent.destroy();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function isReady(port: number): Promise<boolean> {
	try {
		return (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok;
	} catch {
		return false;
	}
}

interface Way {
	agent: Agent;
	targets: number[];
	/** until it says that it is ready */
	leaveOut(target: number): void;
	given(target: number): void;
}

async function forward(
	{ agent, targets, leaveOut, given }: Way,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
	for (const port of targets) {
		try {
			given(port);
			const answer = await send(agent, port, incoming, body);
			const content = Buffer.concat((await answer.toArray()) as Buffer[]);
			outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
			outgoing.end(content);
			return;
		} catch (error) {
			leaveOut(port);
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
