import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
	createUserFolder,
	environmentFor,
	freePort,
	hostOf,
	N8n,
	packedPackage,
	startHostProcess,
	type Host,
} from '../../support/n8n';
import type { GuardedProgram } from '../../support/programs/guardedProgram';
import { OutputLog } from '../../support/programs/outputLog';
import { DATABASE_NAME, DATABASE_USER, Postgres, Redis } from './services';

/** n8n's commands beside the main one. */
export type Role = 'webhook' | 'worker';

/** A webhook processor or a worker. It keeps its folder and port over restarts. */
export class HelperProcess {
	readonly log = new OutputLog();
	/** While n8n starts, it answers everything with 200 before it takes deliveries. */
	isReady = false;
	private process: GuardedProgram | undefined;

	constructor(
		private readonly host: Host,
		readonly role: Role,
		private readonly userFolder: string,
		readonly port: number,
		private readonly settings: Record<string, string>,
	) {}

	async start(): Promise<void> {
		const { host, role, userFolder, port } = this;
		const environment = await environmentFor(
			{ host, userFolder, port },
			{
				...this.settings,
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
			},
		);
		this.process = startHostProcess(host, environment, this.log, [role]);
		await this.process.ready(
			async () => (await fetch(`http://127.0.0.1:${port}/healthz/readiness`)).ok,
		);
		this.isReady = true;
	}

	async crash(): Promise<void> {
		this.isReady = false;
		await this.process?.stop('SIGKILL');
		await this.start();
	}

	async stop(): Promise<void> {
		await this.process?.stop();
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** The measured processes beside the main one, as in `docs/queue-mode.md`. */
const HELPERS: readonly Role[] = ['webhook', 'webhook', 'worker', 'worker'];

interface QueueHostOptions {
	helpers?: readonly Role[];
	environment?: Record<string, string>;
}

/** n8n in queue mode: a main, webhook processors, workers, Redis and PostgreSQL. */
export class QueueHost {
	main!: N8n;
	redis!: Redis;
	postgres!: Postgres;
	readonly helpers: HelperProcess[] = [];
	private readonly started: { stop(): Promise<void> }[] = [];

	/** Starts all processes. If one does not start, it stops the others. */
	static async start(options: QueueHostOptions = {}): Promise<QueueHost> {
		const host = new QueueHost();
		try {
			await host.begin(options);
			return host;
		} catch (error) {
			await host.stop();
			throw error;
		}
	}

	async stop(): Promise<void> {
		for (const part of this.started.splice(0).reverse()) await part.stop();
	}

	helpersOf(wanted: Role): HelperProcess[] {
		return this.helpers.filter(({ role }) => role === wanted);
	}

	private async begin({ helpers = HELPERS, environment }: QueueHostOptions): Promise<void> {
		this.redis = this.keep(await Redis.start());
		this.postgres = this.keep(await Postgres.start());
		const port = await freePort();
		const settings = { ...this.settings(port), ...environment };
		// The main process creates the tables that the others need.
		this.main = this.keep(await N8n.start({ release: '2', port, environment: settings }));
		for (const role of helpers) {
			// Each process has its own folder, as in separate containers.
			const folder = await createUserFolder([await packedPackage()]);
			const helper = new HelperProcess(hostOf('2'), role, folder, await freePort(), settings);
			this.helpers.push(this.keep(helper));
		}
		await Promise.all(this.helpers.map((helper) => helper.start()));
	}

	/** The settings that must be the same in all processes of one n8n in queue mode. */
	private settings(port: number): Record<string, string> {
		return {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(this.redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.postgres.port),
			DB_POSTGRESDB_USER: DATABASE_USER,
			DB_POSTGRESDB_DATABASE: DATABASE_NAME,
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			// Another name than in the URLs of the test.
			N8N_WEBHOOK_URL: `http://localhost:${port}/`,
			// Recommended by `docs/queue-mode.md`.
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		};
	}

	private keep<T extends { stop(): Promise<void> }>(part: T): T {
		this.started.push(part);
		return part;
	}
}
