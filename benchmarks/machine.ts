import { cpus, totalmem } from 'node:os';

const GIGABYTE = 1024 ** 3;

/** A short description of the machine, because figures depend on it. */
export function describeMachine(): string {
	const processors = cpus();
	const memory = Math.round(totalmem() / GIGABYTE);
	const model = processors[0]?.model.trim() ?? process.arch;
	return `${processors.length} cores (${model}), ${memory} GB of memory`;
}
