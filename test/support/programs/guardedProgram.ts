import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { OutputLog } from '../n8n/hostProcess';

export interface GuardedOptions {
	program: string;
	parameters: string[];
	/** holds the program's data; it goes when this process dies before it stopped the program */
	folder: string;
	/** another user than this process's, where the program refuses to run as root */
	user?: { uid: number; gid: number };
}

/** A program that ends with this process at the latest. */
export class GuardedProgram {
	readonly log = new OutputLog();
	private readonly ended: Promise<void>;
	private readonly guard: ChildProcess;

	constructor({ user, ...options }: GuardedOptions) {
		const parameter = JSON.stringify({ ...options, ...user });
		this.guard = fork(join(__dirname, 'guard.cjs'), [parameter], {
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			execArgv: [],
		});
		for (const stream of [this.guard.stdout, this.guard.stderr]) {
			stream?.on('data', (chunk: Buffer) => this.log.add(chunk.toString()));
		}
		this.ended = new Promise((resolve) => this.guard.once('exit', () => resolve()));
	}

	get running(): boolean {
		return this.guard.exitCode === null && this.guard.signalCode === null;
	}

	/** Ends the program and waits for its end: in good order unless told otherwise. */
	async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
		if (this.running && this.guard.connected) this.guard.send(signal);
		await this.ended;
	}
}
