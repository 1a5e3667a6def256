import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './host';
import { GiveUp, until } from './until';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;

/** How n8n says that its port is taken, on both lines. */
const PORT_TAKEN = /port \d+ is already in use|EADDRINUSE/;

/** What n8n has written to its console, over all its starts. */
export class OutputLog {
	private written = '';

	/** @param file keeps it, for other processes to read; in memory unless given */
	constructor(private readonly file?: string) {}

	add(text: string): void {
		if (this.file === undefined) this.written += text;
		else appendFileSync(this.file, text);
	}

	text(mark = 0): string {
		if (this.file === undefined) return this.written.slice(mark);
		return existsSync(this.file) ? readFileSync(this.file, 'utf8').slice(mark) : '';
	}

	mark(): number {
		return this.text().length;
	}

	tail(lines = 30): string {
		return this.text().trimEnd().split('\n').slice(-lines).join('\n');
	}
}

export class PortTaken extends Error {
	override name = 'PortTaken';
}

/** One n8n process. It ends at the latest when the process that started it ends. */
export class HostProcess {
	/** resolves when the process has ended, for whatever reason */
	readonly ended: Promise<void>;

	private constructor(
		private readonly child: ChildProcess,
		private readonly log: OutputLog,
	) {
		this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
	}

	/** Starts n8n (or another of its commands); it is not yet ready when this returns. */
	static start(
		host: Host,
		environment: Record<string, string>,
		log: OutputLog,
		command: string[] = ['start'],
	): HostProcess {
		const program = join(host.folder, 'node_modules/n8n/bin/n8n');
		const watch = join(__dirname, 'parentWatch.cjs');
		const child = spawn(host.node, ['--require', watch, program, ...command], {
			env: environment,
			cwd: environment.N8N_USER_FOLDER,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		child.stdout.on('data', (chunk: Buffer) => log.add(chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => log.add(chunk.toString()));
		return new HostProcess(child, log);
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	/**
	 * Waits until n8n answers its REST calls. Its health addresses are earlier than that, on 1.x by seconds.
	 *
	 * @throws PortTaken, or an Error with the end of n8n's log when n8n ended instead
	 */
	async ready(url: string): Promise<void> {
		await until(() => this.answersSettings(url), {
			describe: `n8n answers at ${url}`,
			timeout: START_TIMEOUT_MS,
		});
	}

	private async answersSettings(url: string): Promise<boolean> {
		if (!this.running) throw new GiveUp(this.whyItEnded());
		const response = await fetch(`${url}/rest/settings`);
		const body = (await response.json()) as { data?: unknown };
		return body.data !== undefined;
	}

	private whyItEnded(): Error {
		const tail = this.log.tail();
		if (PORT_TAKEN.test(tail)) return new PortTaken('The port is taken by another program.');
		return new Error(`n8n ended while starting:\n${tail}`);
	}

	async stop(): Promise<void> {
		await this.end('SIGTERM');
	}

	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	private async end(signal: NodeJS.Signals): Promise<void> {
		if (!this.running) return;
		const impatience = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
		this.child.kill(signal);
		await this.ended;
		clearTimeout(impatience);
	}
}
