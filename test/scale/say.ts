import { writeSync } from 'node:fs';

const started = performance.now();

/** Tells the person waiting what is going on; past Jest, which would hold it back until the end. */
export function say(line: string): void {
	const seconds = Math.round((performance.now() - started) / 1_000);
	writeSync(2, `  ${String(seconds).padStart(4)} s  ${line}\n`);
}
