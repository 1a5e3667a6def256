import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Figures, Report, Task } from './child';

const project = join(__dirname, '../../..');

/** `ended`: it took longer than the work of the others. */
export type Reading = Figures | 'ended';

/** The bundled code, from which processes start at once. */
export interface ReadingProcesses {
	/** @param flags of Node.js */
	start(flags?: readonly string[]): ReadingProcess;
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
		start(flags = []) {
			const started = new ReadingProcess(code, flags);
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
	) {}

	/** The ways in which each input of a family is read. */
	async waysOf(family: string): Promise<string[][]> {
		const [{ inputs }] = (await once(this.ask({ list: family }), 'message')) as [
			{ inputs: string[][] },
		];
		return inputs;
	}

	/**
	 * @param patienceMs after which the others start their work
	 * @param others the process is ended if they finish before the task
	 */
	async read(task: Task, patienceMs?: number, others?: () => Promise<unknown>): Promise<Reading> {
		const child = this.ask(task);
		let isDone = false;
		let timer: NodeJS.Timeout | undefined;
		const giveUp = async () => {
			await others?.();
			if (!isDone) child.kill('SIGKILL');
		};
		try {
			for await (const [report] of on(child, 'message', { close: ['exit'] })) {
				if ('milliseconds' in (report as Report)) return report as Figures;
				if (patienceMs !== undefined) timer = setTimeout(() => void giveUp(), patienceMs);
			}
			if (child.killed) return 'ended';
			throw new Error(`The process ended by itself (${child.exitCode}).`);
		} finally {
			isDone = true;
			clearTimeout(timer);
		}
	}

	end(): void {
		this.child?.kill('SIGKILL');
	}

	private ask(task: Task | { list: string }): ChildProcess {
		if (this.child?.exitCode !== null || this.child.signalCode !== null) {
			this.child = fork(this.code, {
				stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
				execArgv: [...this.flags],
			});
		}
		this.child.send(task);
		return this.child;
	}
}
