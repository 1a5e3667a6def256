import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	HostProcess,
	N8n,
	OutputLog,
	createUserFolder,
	environmentFor,
	freePort,
	hostOf,
	packedPackage,
	until,
	type Host,
} from '../e2e/driver';
import { GiveUp } from '../e2e/driver/until';
import { startRoundRobinProxy, type RoundRobinProxy } from './roundRobinProxy';
import { DATABASE_NAME, DATABASE_USER, Postgres, Redis } from './services';

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

/** What `docs/operations.md` measures. */
const HELPERS: readonly Role[] = ['webhook', 'webhook', 'worker', 'worker'];

/** How queue mode is to be set up; everything has a default. */
export interface QueueHostOptions {
	/** what runs beside the main, which takes deliveries itself where there is no webhook processor */
	helpers?: readonly Role[];
	/** further settings of n8n, the same in all processes */
	environment?: Record<string, string>;
}

/** What `docs/operations.md` recommends beside what queue mode needs. */
const RECOMMENDED = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** n8n in queue mode: a main, webhook processors behind a proxy, workers (two of each unless told), Redis and PostgreSQL. */
export class QueueHost {
	private readonly started: { stop(): Promise<void> }[] = [];
	private parts: {
		main: N8n;
		helpers: HelperProcess[];
		redis: Redis;
		postgres: Postgres;
		proxy: RoundRobinProxy;
	} | null = null;

	private constructor(private readonly options: QueueHostOptions) {}

	/** Starts all of it; what was started is stopped again when something does not come up. */
	static async start(options: QueueHostOptions = {}): Promise<QueueHost> {
		const host = new QueueHost(options);
		try {
			await host.begin();
			return host;
		} catch (error) {
			await host.stop();
			throw error;
		}
	}

	get main(): N8n {
		return this.running.main;
	}
	get redis(): Redis {
		return this.running.redis;
	}
	get postgres(): Postgres {
		return this.running.postgres;
	}
	get proxy(): RoundRobinProxy {
		return this.running.proxy;
	}
	get processors(): [HelperProcess, HelperProcess] {
		const [first, second] = this.running.helpers;
		return [first!, second!];
	}
	get workers(): [HelperProcess, HelperProcess] {
		const [, , first, second] = this.running.helpers;
		return [first!, second!];
	}

	/** All processes beside the main, in the order in which they were asked for. */
	get helpers(): readonly HelperProcess[] {
		return this.running.helpers;
	}

	/** Stops everything, the last started first. */
	async stop(): Promise<void> {
		for (const part of this.started.splice(0).reverse()) await part.stop();
	}

	private get running() {
		if (!this.parts) throw new Error('Queue mode is not running.');
		return this.parts;
	}

	private async begin(): Promise<void> {
		const proxy = this.keep(await startRoundRobinProxy());
		const redis = this.keep(await Redis.start());
		const postgres = this.keep(await Postgres.start());
		const roles = this.options.helpers ?? HELPERS;
		const settings = { ...settingsFor(redis, postgres, proxy), ...this.options.environment };
		const template = await createUserFolder([await packedPackage()]);
		this.keep({ stop: async () => await rm(template, { recursive: true, force: true }) });
		const folders = await Promise.all([copyOf(template), ...roles.map(() => copyOf(template))]);
		const [mainFolder, ...helperFolders] = folders as [string, ...string[]];
		this.keep({ stop: async () => await rm(mainFolder, { recursive: true, force: true }) });
		// The main makes the database's tables, the others expect them.
		const main = this.keep(
			await N8n.start({ release: '2', userFolder: mainFolder, environment: settings }),
		);
		const helpers: HelperProcess[] = [];
		for (const [index, role] of roles.entries()) {
			const folder = helperFolders[index]!;
			const port = await freePort();
			helpers.push(this.keep(new HelperProcess(hostOf('2'), role, folder, port, settings)));
		}
		await Promise.all(helpers.map((helper) => helper.start()));
		this.parts = { main, helpers, redis, postgres, proxy };
		const processors = helpers.filter((_, index) => roles[index] === 'webhook');
		proxy.serve((processors.length > 0 ? processors : [main]).map(({ port }) => port));
	}

	private keep<T extends { stop(): Promise<void> }>(part: T): T {
		this.started.push(part);
		return part;
	}
}

/** What all processes of one n8n in queue mode must agree on. */
function settingsFor(redis: Redis, postgres: Postgres, proxy: RoundRobinProxy) {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: DATABASE_USER,
		DB_POSTGRESDB_DATABASE: DATABASE_NAME,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		N8N_WEBHOOK_URL: `${proxy.url}/`,
		...RECOMMENDED,
	};
}

/** Each process has a folder of its own, as separate containers have. */
async function copyOf(template: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-n8n-'));
	await cp(template, folder, { recursive: true });
	return folder;
}
