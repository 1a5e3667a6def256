import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Figures, Report, Task } from './child';

const project = join(__dirname, '../../..');

/** Figures, or what became of it when an ordinary email would have been read many times over. */
export type Verdict = Figures | 'ended';

/** Where the processes' code is; delete it afterwards. */
export interface Interrogation {
	suspect(): Suspect;
	end(): void;
}

/** A process that reads what may take for ever. */
export interface Suspect {
	/** The ways on which each input of a family is read. */
	waysOf(family: string): Promise<string[][]>;
	/**
	 * @param patience milliseconds after which the others are set to work
	 * @param others if these have done theirs before the task is done, the process is ended
	 */
	read(task: Task, patience?: number, others?: () => Promise<unknown>): Promise<Verdict>;
	end(): void;
}

/** Bundles the code that is to be questioned, so that each process starts at once. */
export function prepare(): Interrogation {
	const folder = mkdtempSync(join(project, 'node_modules', '.cache-hostile-'));
	const outfile = join(folder, 'child.cjs');
	execFileSync(process.execPath, [
		join(__dirname, 'bundle.mjs'),
		join(__dirname, 'child.ts'),
		outfile,
	]);
	const running = new Set<Suspect>();
	return {
		suspect() {
			const suspect = startSuspect(outfile);
			running.add(suspect);
			return suspect;
		},
		end() {
			for (const suspect of running) suspect.end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function startSuspect(file: string): Suspect {
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
		read: async (task, patience, others) =>
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
				const condemn = async () => {
					await others?.();
					settle(() => {
						end();
						resolve('ended');
					});
				};
				asked.on('message', (report: Report) => {
					if ('started' in report && patience !== undefined)
						timer = setTimeout(() => void condemn(), patience);
					if ('milliseconds' in report) settle(() => resolve(report));
				});
			}),
	};
}
