import { rm } from 'node:fs/promises';
import { environmentFor, freePort, HostProcess, OutputLog, until } from '../../e2e/driver';
import type { Host } from '../../e2e/driver';
import { GiveUp } from '../../e2e/driver/until';

const START_TIMEOUT_MS = 180_000;

/** n8n's commands beside the main one. */
export type Role = 'webhook' | 'worker';

/** A webhook processor or a worker, with an own folder and own ports, which it keeps over restarts. */
export class HelperProcess {
	readonly log = new OutputLog();
	private process: HostProcess | undefined;

	/** @param settings what all processes of this n8n share */
	constructor(
		private readonly host: Host,
		private readonly role: Role,
		private readonly userFolder: string,
		readonly port: number,
		private readonly settings: Record<string, string>,
	) {}

	/** Starts it and waits until it takes work. */
	async start(): Promise<void> {
		const { host, role, userFolder, port } = this;
		const surroundings = { userFolder, port, brokerPort: await freePort(), codeNodes: false };
		const environment = environmentFor(host, surroundings, {
			...this.settings,
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
		});
		const process = HostProcess.start(host, environment, this.log, [role]);
		this.process = process;
		await until(
			async () => {
				if (!process.running) {
					throw new GiveUp(new Error(`n8n ${role} ended while starting:\n${this.log.tail()}`));
				}
				return (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok;
			},
			{ describe: `n8n ${role} is ready at port ${port}`, timeout: START_TIMEOUT_MS },
		);
	}

	/** Ends it as a crash would, and starts it again. */
	async crash(): Promise<void> {
		await this.process?.kill();
		await this.start();
	}

	async stop(): Promise<void> {
		await this.process?.stop();
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
	}
}
