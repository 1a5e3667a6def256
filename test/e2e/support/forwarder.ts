import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DiskQueue } from './diskQueue';
import type { Kept } from './diskQueue';

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const ANSWER_WITHIN_MS = 60_000;

/** How a gateway is set up; what is left out hands on nothing yet. */
export interface ForwarderOptions {
	/** where deliveries are kept; what is in it is handed on */
	folder: string;
	/** a free one unless given */
	port?: number;
	/** how many deliveries are handed on at once */
	atATime?: number;
}

/** One try at handing a delivery on. */
export interface HandOn {
	body: string;
	/** undefined when no answer came */
	status: number | undefined;
}

/** Where deliveries are handed on to. */
export interface Receiver {
	/** without the query, which comes with each delivery */
	url: string;
	/** answers 200 when the receiver is ready */
	readiness: string;
	/** a gateway that is set up wrongly */
	dropsQuery?: boolean;
}

/**
 * A webhook gateway in the smallest form that does what `docs/operations.md` asks of one: it answers when a delivery is on disk,
 * and hands it on until the receiver has taken it, also after it was killed itself.
 */
export class Forwarder {
	readonly handedOn: HandOn[] = [];
	/** deliveries that were answered */
	taken = 0;
	private readonly end = new AbortController();
	private readonly workers: Promise<void>[] = [];
	private readonly arrived = new EventTarget();

	private constructor(
		private readonly server: Server,
		private readonly queue: DiskQueue,
		private readonly atATime: number,
	) {
		server.on('request', (request, response) => {
			void this.take(request).then((status) => response.writeHead(status).end());
		});
	}

	static async start({ folder, port = 0, atATime = 1 }: ForwarderOptions): Promise<Forwarder> {
		const server = createServer();
		const forwarder = new Forwarder(server, await DiskQueue.open(folder), atATime);
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return forwarder;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Deliveries that are not handed on yet. */
	get waiting(): number {
		return this.queue.size;
	}

	/** Begins to hand on. */
	handOnTo(receiver: Receiver): void {
		for (let worker = 0; worker < this.atATime; worker++) {
			this.workers.push(this.work(receiver).catch(() => undefined));
		}
	}

	/** Ends as a crash would: connections break, and nothing is known but what is on disk. */
	async crash(): Promise<void> {
		this.end.abort();
		this.server.closeAllConnections();
		this.server.close();
		await Promise.all(this.workers);
	}

	private async take(request: IncomingMessage): Promise<number> {
		try {
			const chunks = (await request.toArray()) as Buffer[];
			await this.queue.keep({
				method: request.method ?? 'POST',
				query: new URL(request.url ?? '/', this.url).search,
				contentType: request.headers['content-type'] ?? null,
				body: Buffer.concat(chunks).toString('base64'),
			});
			this.taken++;
			this.arrived.dispatchEvent(new Event('delivery'));
			return 202;
		} catch {
			return 503;
		}
	}

	private async work(receiver: Receiver): Promise<void> {
		const { signal } = this.end;
		while (!signal.aborted) {
			const next = this.queue.next();
			if (next) await this.handOn(next, receiver);
			else await once(this.arrived, 'delivery', { signal });
		}
	}

	/** Until it is taken. */
	private async handOn(kept: Kept, receiver: Receiver): Promise<void> {
		const { signal } = this.end;
		for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
			// An n8n that starts answers everything with 200, and drops it.
			const isReady = await isOk(receiver.readiness, signal);
			const answer = isReady ? await this.post(kept, receiver) : undefined;
			signal.throwIfAborted();
			if (answer?.ok) return await this.queue.remove(kept);
			const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1_000;
			await pause(Math.max(wait, asked), undefined, { signal });
		}
	}

	private async post(kept: Kept, { url, dropsQuery }: Receiver): Promise<Response | undefined> {
		const { method, query, contentType } = kept.delivery;
		const body = Buffer.from(kept.delivery.body, 'base64');
		const answer = await fetch(`${url}${dropsQuery ? '' : query}`, {
			method,
			body,
			headers: contentType === null ? {} : { 'content-type': contentType },
			signal: AbortSignal.any([this.end.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
		}).catch(() => undefined);
		await answer?.arrayBuffer().catch(() => undefined);
		this.handedOn.push({ body: body.toString(), status: answer?.status });
		return answer;
	}
}

async function isOk(url: string, signal: AbortSignal): Promise<boolean> {
	const answer = await fetch(url, { signal }).catch(() => undefined);
	await answer?.arrayBuffer().catch(() => undefined);
	return answer?.status === 200;
}
