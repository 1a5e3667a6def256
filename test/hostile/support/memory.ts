import { readFileSync, writeFileSync } from 'node:fs';

/** Measures how much memory a process needs. */
export interface MemoryWatch {
	/** @returns the most bytes since the watch began, above those at its beginning */
	end(): number;
}

/** On Linux, the peak of a process can be read and forgotten; elsewhere it only grows. Needs Node's flag `--expose-gc`. */
export function watchMemory(): MemoryWatch {
	// Pages that are free, but that the process keeps, would hide what is needed next.
	globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
	if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
	const before = process.memoryUsage.rss();
	return { end: () => Math.max(0, peak() - before) };
}

function peak(): number {
	if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
	const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
	return Number(kilobytes) * 1024;
}
