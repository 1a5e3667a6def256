import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/**
 * How long a process has kept the processors busy so far: what other programs do meanwhile hardly changes it.
 *
 * @returns milliseconds; undefined where the system does not tell (it does on Linux)
 */
export function processorTime(processId: number | undefined): number | undefined {
	try {
		const status = readFileSync(`/proc/${processId}/stat`, 'utf8');
		// The program's name, in parentheses, may hold blanks.
		const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
	} catch {
		return undefined;
	}
}
