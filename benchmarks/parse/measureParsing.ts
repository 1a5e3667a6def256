/** Runs in a process of its own: measures one parser on one email. */
import { readFileSync, writeFileSync } from 'node:fs';
import { watchBlocks } from '../../test/hostile/support/blocks';
import { PARSERS, type Parse, type ParserName } from './parsers';

export interface ParsingTask {
	parser: ParserName;
	file: string;
	/** A small email of the same kind, to have everything loaded. */
	warmUp: string;
	files: number;
	times: number;
}

export interface ParsingFigures {
	/** Milliseconds of processor time for one email. */
	time: number;
	/** The longest time that n8n could do nothing else, in milliseconds. */
	longestBlock: number;
	/** Bytes that were needed at most, above what the process had with the email in its hands. */
	peakMemory: number;
}

async function measure(task: ParsingTask): Promise<ParsingFigures> {
	const parse: Parse = PARSERS[task.parser];
	const email = readFileSync(task.file, 'utf8');
	await parse(readFileSync(task.warmUp, 'utf8'));
	const peakMemory = await peakOf(() => parse(email));
	for (let warm = 0; warm < task.times; warm++) await parse(email);
	const longestBlock = await longestBlockOf(() => parse(email));
	const start = process.cpuUsage();
	for (let count = 0; count < task.times; count++) {
		const files = await parse(email);
		if (files !== task.files) throw new Error(`${task.parser} found ${files} files.`);
	}
	const { user, system } = process.cpuUsage(start);
	return { time: (user + system) / 1000 / task.times, longestBlock, peakMemory };
}

async function longestBlockOf(work: () => Promise<unknown>): Promise<number> {
	const blocks = await watchBlocks();
	await work();
	return await blocks.end();
}

/** On Linux, the peak of a process can be read and reset; elsewhere it only grows. */
async function peakOf(work: () => Promise<unknown>): Promise<number> {
	globalThis.gc?.();
	forgetPeak();
	const before = process.memoryUsage.rss();
	await work();
	return Math.max(0, peak() - before);
}

function forgetPeak(): void {
	if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

function peak(): number {
	if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
	const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
	return Number(kilobytes) * 1024;
}

void measure(JSON.parse(process.argv[2] ?? '{}') as ParsingTask).then((figures) => {
	process.stdout.write(JSON.stringify(figures));
});
