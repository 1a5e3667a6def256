import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Numbers } from '../../scripts/scale/report';

const started = performance.now();

/** Tells the person waiting what is going on; past Jest, which would hold it back until the end. */
export function say(line: string): void {
	const seconds = Math.round((performance.now() - started) / 1_000);
	writeSync(2, `  ${String(seconds).padStart(4)} s  ${line}\n`);
}

/**
 * Keeps what was measured for the report, where one is wanted: the environment variable `SCALE_RESULTS`
 * names a folder.
 */
export function keepResults(name: string, numbers: Numbers): void {
	for (const [label, value] of Object.entries(numbers)) say(`${label}: ${value}`);
	const folder = process.env.SCALE_RESULTS;
	if (folder) writeFileSync(join(folder, `${name}.json`), JSON.stringify(numbers, null, '\t'));
}
