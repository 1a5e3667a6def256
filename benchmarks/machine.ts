import { cpus, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const GIGABYTE = 1024 ** 3;

const LOOK_MS = 3000;

/** A short description of the machine, because figures depend on it. */
export function describeMachine(): string {
	const processors = cpus();
	const memory = Math.round(totalmem() / GIGABYTE);
	const model = processors[0]?.model.trim() ?? process.arch;
	return `${processors.length} cores (${model}), ${memory} GB of memory`;
}

/** The share of the processors that other programs use now, from 0 to 1. This one does nothing meanwhile. */
export async function shareOfOthers(): Promise<number> {
	const before = processorTimes();
	await pause(LOOK_MS);
	const after = processorTimes();
	const idle = after.idle - before.idle;
	const all = after.all - before.all;
	return 1 - idle / all;
}

/** Milliseconds of all processors since the machine started. */
function processorTimes(): { idle: number; all: number } {
	let idle = 0;
	let all = 0;
	for (const { times } of cpus()) {
		idle += times.idle;
		all += times.user + times.nice + times.sys + times.irq + times.idle;
	}
	return { idle, all };
}
