import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { basename, join } from 'node:path';
import { SetupFailure } from '../../../scripts/setup/failure.mjs';
import { say } from '../../../scripts/setup/progress.mjs';
import { GiveUp, until } from '../n8n/until';
import { OutputLog } from './outputLog';

/** After this time, a line says that the machine is slow. */
const SLOW_START_MS = 180_000;

const MAX_START_MS = 900_000;

/** How n8n 1.x and 2.x and other programs say that their port is taken. */
const PORT_TAKEN = /port \d+ is already in use|EADDRINUSE/;

export interface GuardedOptions {
	program: string;
	parameters: string[];
	/** holds the program's data; it goes when this process dies before it stopped the program */
	folder?: string;
	/** another user than this process's, if the program refuses to run as root */
	user?: { uid: number; gid: number };
	/** the whole environment and the working folder; this process's unless given */
	env?: Record<string, string>;
	cwd?: string;
	log?: OutputLog;
}

export class PortTaken extends Error {
	override name = 'PortTaken';
}

/** A program that ends with this process at the latest. */
export class GuardedProgram {
	readonly log: OutputLog;
	/** resolves when the program has ended, for whatever reason */
	readonly ended: Promise<void>;
	private readonly guard: ChildProcess;
	private readonly name: string;

	constructor({ user, env, cwd, log = new OutputLog(), ...options }: GuardedOptions) {
		this.log = log;
		this.name = basename(options.program);
		const parameter = JSON.stringify({ ...options, ...user });
		this.guard = fork(join(__dirname, 'guard.cjs'), [parameter], {
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			execArgv: [],
			env,
			cwd,
		});
		for (const stream of [this.guard.stdout, this.guard.stderr]) {
			stream?.on('data', (chunk: Buffer) => log.add(chunk.toString()));
		}
		this.ended = new Promise((resolve) => this.guard.once('exit', () => resolve()));
	}

	get running(): boolean {
		return this.guard.exitCode === null && this.guard.signalCode === null;
	}

	/**
	 * Waits until the program can be used. After three minutes, a line says that the machine is slow.
	 *
	 * @throws PortTaken, or SetupFailure with the end of its log, when it does not come up in fifteen minutes
	 */
	async ready(isReady: () => Promise<unknown>): Promise<this> {
		const reminder = setTimeout(() => {
			say(
				`${this.name} is not ready after 3 minutes: the machine is slow or busy. Waiting for up to 15 minutes.`,
			);
		}, SLOW_START_MS);
		try {
			await until(
				`${this.name} is ready`,
				async () => {
					if (!this.running) throw new GiveUp(new Error(`${this.name} ended while starting.`));
					return Boolean(await isReady());
				},
				MAX_START_MS,
			);
			return this;
		} catch (error) {
			await this.stop('SIGKILL');
			const message = `${(error as Error).message}\n${this.log.tail()}`;
			if (PORT_TAKEN.test(message)) throw new PortTaken(message);
			throw new SetupFailure(`${this.name} did not start: the end of its log is above.`, message);
		} finally {
			clearTimeout(reminder);
		}
	}

	/** Ends the program and waits for its end: in good order unless told otherwise. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		if (this.running && this.guard.connected) this.guard.send(signal);
		await this.ended;
	}
}
