import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Figures, Report, Task } from './child';

const project = join(__dirname, '../../..');

/** `ended`: it took longer than the work of the others. */
export type Reading = Figures | 'ended';

/** The bundled code, from which processes start at once. */
export interface ReadingProcesses {
	start(): ReadingProcess;
	/** Ends all processes and deletes the code. */
	end(): void;
}

/** A process that reads what may take forever. */
export interface ReadingProcess {
	/** The ways on which each input of a family is read. */
	waysOf(family: string): Promise<string[][]>;
	/**
	 * @param patienceMs after which the others start their work
	 * @param others the process is ended if they finish before the task
	 */
	read(task: Task, patienceMs?: number, others?: () => Promise<unknown>): Promise<Reading>;
	end(): void;
}

export function prepareReading(): ReadingProcesses {
	const folder = mkdtempSync(join(project, 'node_modules', '.cache-hostile-'));
	const outfile = join(folder, 'child.cjs');
	execFileSync(process.execPath, [
		join(__dirname, 'bundle.mjs'),
		join(__dirname, 'child.ts'),
		outfile,
	]);
	const running = new Set<ReadingProcess>();
	return {
		start() {
			const started = startProcess(outfile);
			running.add(started);
			return started;
		},
		end() {
			for (const one of running) one.end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function startProcess(file: string): ReadingProcess {
	let child: ChildProcess | undefined;
	const ask = (task: Task | { list: string }): ChildProcess => {
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
			child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
		}
		child.send(task);
		return child;
	};
	const end = () => {
		child?.kill('SIGKILL');
		child = undefined;
	};
	return {
		end,
		waysOf: async (family) =>
			await new Promise((resolve) => {
				ask({ list: family }).once('message', (report: { inputs: string[][] }) =>
					resolve(report.inputs),
				);
			}),
		read: async (task, patienceMs, others) =>
			await new Promise((resolve, reject) => {
				const asked = ask(task);
				let timer: NodeJS.Timeout | undefined;
				let settled = false;
				const settle = (finish: () => void) => {
					if (settled) return;
					settled = true;
					clearTimeout(timer);
					asked.removeAllListeners();
					finish();
				};
				asked.once('exit', (code) =>
					settle(() => reject(new Error(`The process ended by itself (${code}).`))),
				);
				const giveUp = async () => {
					await others?.();
					settle(() => {
						end();
						resolve('ended');
					});
				};
				asked.on('message', (report: Report) => {
					if ('started' in report && patienceMs !== undefined)
						timer = setTimeout(() => void giveUp(), patienceMs);
					if ('milliseconds' in report) settle(() => resolve(report));
				});
			}),
	};
}
