import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TestDns, type Zones } from '../../test/dns/support/testDns';

/** A question that arrived over HTTPS. */
export interface AskedQuestion {
	/** Without its last dot. */
	name: string;
	type: string;
}

/** A real DNS that delays its answers about names with a label `slow`. */
export interface SlowDns {
	/** Where it answers over HTTPS. */
	address: string;
	/** Where it answers over UDP, at 127.0.0.1. */
	plainPort: number;
	/** The questions that arrived over HTTPS, in their order. */
	questions(): Promise<AskedQuestion[]>;
	stop(): Promise<void>;
}

export async function startSlowDns(zones: Zones, delayMs: number): Promise<SlowDns> {
	let relay: SlowRelay | undefined;
	let log = '';
	const dns = await TestDns.start(zones, async (serverPort, folder) => {
		relay = await SlowRelay.start(serverPort, delayMs);
		log = join(folder, 'questions.log');
		return `newServer({address="127.0.0.1:${relay.port}", pool="slow"}):setUp()
addAction(AllRule(), LogAction("${log}", false, true, false))
addAction(RegexRule("(^|\\\\.)slow\\\\."), PoolAction("slow"))
`;
	});
	return {
		address: dns.address,
		plainPort: dns.plainPort,
		async questions() {
			const text = await readFile(log, 'utf8').catch(() => '');
			const lines = text.matchAll(/ for (\S+)\. (\S+) with id /g);
			return Array.from(lines, ([, name = '', type = '']) => ({ name, type }));
		},
		async stop() {
			relay?.stop();
			await dns.stop();
		},
	};
}

/** Forwards questions to a name server, and its answers after a delay. */
class SlowRelay {
	private readonly timers = new Set<NodeJS.Timeout>();

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly front: Socket,
		private readonly target: number,
		private readonly delayMs: number,
	) {
		this.sockets.add(front);
		front.on('message', (question, { port }) => this.relay(question, port));
	}

	/** @param target the port of the name server, on this machine */
	static async start(target: number, delayMs: number): Promise<SlowRelay> {
		const front = createSocket('udp4').bind(0, '127.0.0.1');
		await once(front, 'listening');
		return new SlowRelay(front, target, delayMs);
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
