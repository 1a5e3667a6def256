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
			const { store, dialect } = this.environment;
			const { receiver, deliverer } = this.parts;
			const address = { host, port: this.smtpPort };
			const smtp = await startSmtp({ store, dialect, receiver }, address);
			this.running.push(smtp);
			this.httpPort = http.port;
			this.smtpPort = smtp.port;
			deliverer.resume();
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	/** @param isCrash what was not finished is not forgotten, where the dialect repeats it */
	async stop({ isCrash = false } = {}): Promise<void> {
		const closing = this.running.map((server) => server.close());
		this.running = [];
		this.parts.deliverer.abort({ isCrash });
		await Promise.all(closing);
		this.life.abort();
	}
}
