import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Numbers } from '../../scripts/scale/table';
import { say } from './say';

/**
 * Keeps what was measured for the report, where one is wanted: the environment variable `SCALE_RESULTS`
 * names a folder.
 */
export function keepResults(name: string, numbers: Numbers): void {
	for (const [label, value] of Object.entries(numbers)) say(`${label}: ${value}`);
	const folder = process.env.SCALE_RESULTS;
	if (folder) writeFileSync(join(folder, `${name}.json`), JSON.stringify(numbers, null, '\t'));
}
