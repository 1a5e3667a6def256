import { startHttp, type Listening, type Surroundings } from './http';
import { startSmtp, type Receiver } from './mail';

/** Ports; 0 before the first start takes a free one. */
export interface Ports {
	http: number;
	smtp: number;
}

/** The service's two servers, which go down and come back together and on the same ports. */
export class Servers {
	private running: Listening[] = [];

	/** Ends all delays of answers. */
	private life = new AbortController();

	constructor(
		private readonly surroundings: Surroundings,
		private readonly receiver: Receiver,
		readonly ports: Ports,
	) {}

	/** @throws when a port is in use; then nothing is left running */
	async start(): Promise<void> {
		if (this.running.length > 0) return;
		this.life = new AbortController();
		try {
			const http = await startHttp(this.surroundings, this.ports.http, this.life.signal);
			this.running.push(http);
			const smtp = await startSmtp(this.receiver, this.ports.smtp);
			this.running.push(smtp);
			this.ports.http = http.port;
			this.ports.smtp = smtp.port;
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	async stop(): Promise<void> {
		const closing = this.running.map(async (server) => await server.close());
		this.running = [];
		await Promise.all(closing);
		this.life.abort();
	}
}
