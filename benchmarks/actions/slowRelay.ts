import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Forwards questions to a name server, and its answers after a delay. */
export class SlowRelay {
	private readonly timers = new Set<NodeJS.Timeout>();

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly front: Socket,
		private readonly target: number,
		public delayMs = 0,
	) {
		this.sockets.add(front);
		front.on('message', (question, { port }) => this.relay(question, port));
	}

	/** @param target the port of the name server, on this machine */
	static async start(target: number): Promise<SlowRelay> {
		const front = createSocket('udp4').bind(0, '127.0.0.1');
		await once(front, 'listening');
		return new SlowRelay(front, target);
	}

	get port(): number {
		return (this.front.address() as AddressInfo).port;
	}

	stop(): void {
		this.timers.forEach(clearTimeout);
		this.sockets.forEach((socket) => socket.close());
		this.sockets.clear();
	}

	private relay(question: Buffer, asker: number): void {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			const back = createSocket('udp4');
			this.sockets.add(back);
			back.on('message', (answer) => {
				this.front.send(answer, asker, '127.0.0.1');
				this.sockets.delete(back);
				back.close();
			});
			back.send(question, this.target, '127.0.0.1');
		}, this.delayMs);
		this.timers.add(timer);
	}
}
