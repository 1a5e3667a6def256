import type { Environment } from './http/environment';
import { startHttp } from './http/server';
import type { Deliverer } from './deliveries/deliverer';
import type { Receiver } from './mail/receive';
import { startSmtp } from './mail/smtp';

interface Running {
	close: () => Promise<void>;
}

/** The service's two servers, which go down and come back together and on the same ports. */
export class Service {
	httpPort: number;
	smtpPort: number;
	private running: Running[] = [];
	private life = new AbortController();

	constructor(
		private readonly environment: Environment,
		private readonly parts: { receiver: Receiver; deliverer: Deliverer },
		private readonly address: { host: string; httpPort: number; smtpPort: number },
	) {
		this.httpPort = address.httpPort;
		this.smtpPort = address.smtpPort;
	}

	/** @throws when a port is in use; then nothing is left running */
	async start(): Promise<void> {
		if (this.running.length > 0) return;
		const { host } = this.address;
		this.life = new AbortController();
		try {
			const http = await startHttp(
				this.environment,
				{ host, port: this.httpPort },
				this.life.signal,
			);
			this.running.push(http);
			const { store } = this.environment;
			const smtp = await startSmtp(store, this.parts.receiver, { host, port: this.smtpPort });
			this.running.push(smtp);
			this.httpPort = http.port;
			this.smtpPort = smtp.port;
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	async stop(): Promise<void> {
		const closing = this.running.map((server) => server.close());
		this.running = [];
		this.parts.deliverer.abort();
		await Promise.all(closing);
		this.life.abort();
	}
}
