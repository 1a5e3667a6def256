import { rm } from 'node:fs/promises';
import { PortTaken, type GuardedProgram } from '../programs/guardedProgram';
import { OutputLog } from '../programs/outputLog';
import { Credentials } from './credentials';
import { DataTables } from './dataTables';
import { environmentFor } from './environment';
import { Executions } from './executions';
import { freePort } from './freePort';
import { chosenRelease, createUserFolder, hostOf, packedPackage } from './host';
import type { Host, Line } from './host';
import { startHostProcess } from './hostProcess';
import { copyMigratedDatabase } from './migratedDatabase';
import { endPublicationLease } from './publicationLease';
import { Session } from './session';
import { Workflows } from './workflows';

const ATTEMPTS_AT_A_FREE_PORT = 3;

/** Tells Jest's workers of the running n8n of each. */
export const SHARED_N8N = 'EMAIL_IDENTITY_SHARED_N8N';

export interface StartOptions {
	/** a pinned n8n, such as `2` or `1.100`; the one under test unless given */
	release?: string;
	/** community packages, as tarballs or folders; this project's own unless given */
	packages?: string[];
	port?: number;
	environment?: Record<string, string>;
	/** keeps n8n's log, for other processes to read; in memory unless given */
	logFile?: string;
	/** whether Code nodes must work, which costs a second process */
	codeNodes?: boolean;
	/** if it is aborted while n8n starts, n8n is stopped and `start` throws */
	signal?: AbortSignal;
}

/** A real n8n with a logged-in owner. `stop()` also removes its user folder. */
export class N8n {
	readonly log: OutputLog;
	readonly session: Session;
	readonly credentials: Credentials;
	readonly workflows: Workflows;
	readonly executions: Executions;
	readonly dataTables: DataTables;
	private environment: Record<string, string>;
	private process: GuardedProgram | undefined;

	private constructor(
		readonly host: Host,
		readonly userFolder: string,
		readonly port: number,
		private readonly options: StartOptions,
	) {
		this.environment = options.environment ?? {};
		this.log = new OutputLog(options.logFile);
		this.session = new Session(this.url);
		this.credentials = new Credentials(this.session);
		this.workflows = new Workflows(this.session, host.line);
		this.executions = new Executions(this.session);
		this.dataTables = new DataTables(this.session);
	}

	/** Starts an n8n and waits until it can be used. @throws PortTaken when the given port is in use */
	static async start(options: StartOptions = {}): Promise<N8n> {
		const host = hostOf(options.release ?? chosenRelease());
		const packages = options.packages ?? [await packedPackage()];
		const userFolder = await createUserFolder(packages);
		await copyMigratedDatabase(host, userFolder);
		for (let attempt = 1; ; attempt++) {
			const port = options.port ?? (await freePort());
			const n8n = new N8n(host, userFolder, port, options);
			try {
				await n8n.begin();
				return n8n;
			} catch (error) {
				const mayTryAgain = error instanceof PortTaken && options.port === undefined;
				if (mayTryAgain && attempt < ATTEMPTS_AT_A_FREE_PORT) continue;
				await n8n.stop();
				throw error;
			}
		}
	}

	/**
	 * The n8n that the test files of this worker share, see `setup/shareN8n.ts`. It logs as n8n does by default, and is not
	 * stopped or restarted by a test.
	 */
	static async shared(): Promise<N8n> {
		type Shared = Record<'logFile' | 'release' | 'userFolder', string> & { port: number };
		const hosts = JSON.parse(process.env[SHARED_N8N] ?? '[]') as Shared[];
		const shared = hosts[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
		if (!shared) throw new Error('This worker of Jest has no n8n to share.');
		const { release, userFolder, port, logFile } = shared;
		const n8n = new N8n(hostOf(release), userFolder, port, { logFile });
		await n8n.session.logIn();
		return n8n;
	}

	get line(): Line {
		return this.host.line;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	async ended(): Promise<void> {
		await this.process?.ended;
	}

	/** Starts n8n again with the same folder and port, also after it was stopped or killed. */
	async restart(environment: Record<string, string> = {}): Promise<void> {
		await this.process?.stop();
		this.environment = { ...this.environment, ...environment };
		await this.begin();
	}

	/** Stops n8n, and keeps everything for a restart. */
	async pause(): Promise<void> {
		await this.process?.stop();
	}

	/** A publication that was under way goes on after a restart. */
	async kill(): Promise<void> {
		await this.process?.stop('SIGKILL');
		await endPublicationLease(this.host, this.userFolder);
	}

	/** Stops n8n for good and removes its user folder. */
	async stop(): Promise<void> {
		await this.process?.stop();
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
	}

	/** Runs another command of n8n with the same user folder. @returns its output */
	async command(words: string[]): Promise<string> {
		const log = new OutputLog();
		const process = startHostProcess(this.host, await this.environmentNow(), log, words);
		await process.ended;
		return log.text();
	}

	private async environmentNow(): Promise<Record<string, string>> {
		const { host, userFolder, port, options, url, environment } = this;
		const { codeNodes } = options;
		const extra = { WEBHOOK_URL: `${url}/`, ...environment };
		return await environmentFor({ host, userFolder, port, codeNodes }, extra);
	}

	private async begin(): Promise<void> {
		this.process = startHostProcess(this.host, await this.environmentNow(), this.log);
		const interrupt = () => void this.process?.stop();
		this.options.signal?.addEventListener('abort', interrupt);
		await this.process
			.ready(() => this.session.isReady())
			.finally(() => {
				this.options.signal?.removeEventListener('abort', interrupt);
			});
		await this.session.logIn();
	}
}
