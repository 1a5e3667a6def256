import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Figures, Report, Task } from './child';

export type { Task } from './child';

const project = join(__dirname, '../../..');

/** `ended`: it took more processor time than it was allowed. */
export type Reading = Figures | 'ended';

const WATCH_EVERY_MS = 100;

/** The unit of times in `/proc`. */
const MS_PER_TICK = 10;

/** The time that processors worked for a process. Only Linux tells it; elsewhere what never ends meets the limit of the test. */
function processorMsOf({ pid }: ChildProcess): number {
	if (process.platform !== 'linux') return 0;
	try {
		const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
		const [user, system] = fields.split(' ').slice(11, 13).map(Number);
		return (user! + system!) * MS_PER_TICK;
	} catch {
		return 0;
	}
}

/** The bundled code, from which processes start at once. */
export interface ReadingProcesses {
	/**
	 * @param flags of Node.js
	 * @param node the program; this Node.js unless given
	 */
	start(flags?: readonly string[], node?: string): ReadingProcess;
	/** Ends all processes and deletes the code. */
	end(): void;
}

export function prepareReading(): ReadingProcesses {
	const folder = mkdtempSync(join(project, 'node_modules', '.cache-hostile-'));
	const code = join(folder, 'child.cjs');
	const bundle = [join(__dirname, 'bundle.mjs'), join(__dirname, 'child.ts'), code];
	execFileSync(process.execPath, bundle);
	const running: ReadingProcess[] = [];
	return {
		start(flags = [], node = process.execPath) {
			const started = new ReadingProcess(code, flags, node);
			running.push(started);
			return started;
		},
		end() {
			for (const one of running) one.end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** A process that reads what may take forever. It starts with its first task, and again after its end. */
export class ReadingProcess {
	private child: ChildProcess | undefined;

	constructor(
		private readonly code: string,
		private readonly flags: readonly string[],
		private readonly node: string,
	) {}

	/** The ways in which each input of a family is read. */
	async waysOf(family: string): Promise<string[][]> {
		const [{ inputs }] = (await once(this.ask({ list: family }), 'message')) as [
			{ inputs: string[][] },
		];
		return inputs;
	}

	/** @param maxProcessorMs after which the process is ended */
	async read(task: Task, maxProcessorMs = Infinity): Promise<Reading> {
		const child = this.ask(task);
		const watch = setInterval(() => {
			if (processorMsOf(child) > maxProcessorMs) child.kill('SIGKILL');
		}, WATCH_EVERY_MS);
		const before = processorMsOf(child);
		if (maxProcessorMs !== Infinity) maxProcessorMs += before;
		try {
			for await (const [report] of on(child, 'message', { close: ['exit'] })) {
				if ('milliseconds' in (report as Report)) return report as Figures;
			}
			if (child.killed) return 'ended';
			throw new Error(`The process ended by itself (${child.exitCode ?? child.signalCode}).`);
		} finally {
			clearInterval(watch);
		}
	}

	/** A new process has nothing of earlier readings in its memory. */
	async restart(): Promise<void> {
		const { child } = this;
		if (child === undefined || hasEnded(child)) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	}

	end(): void {
		this.child?.kill('SIGKILL');
	}

	private ask(task: Task | { list: string }): ChildProcess {
		if (this.child === undefined || hasEnded(this.child)) {
			this.child = fork(this.code, {
				stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
				execArgv: [...this.flags],
				execPath: this.node,
			});
		}
		this.child.send(task);
		return this.child;
	}
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}
