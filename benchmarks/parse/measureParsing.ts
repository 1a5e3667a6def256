/** Runs in a process of its own: measures one parser on one email. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PARSERS, type Parse, type ParserName } from './parsers';

export interface ParsingTask {
	parser: ParserName;
	/** Paths of raw emails. */
	emails: string[];
	/** A small email of the same kind, to have everything loaded. */
	warmUp: string;
	/** How many files each email has, to know that all are read; undefined if they are different. */
	files?: number;
	times: number;
}

export interface ParsingFigures {
	/** Milliseconds of processor time for one email. */
	time: number;
	/** Bytes that were needed at most, above what the process had with the email in its hands. */
	peakMemory: number;
}

async function measure(task: ParsingTask): Promise<ParsingFigures> {
	const parse: Parse = PARSERS[task.parser];
	const emails = task.emails.map((file) => readFileSync(file, 'utf8'));
	const parseAll = async (): Promise<void> => {
		for (const email of emails) await parseOne(email);
	};
	const parseOne = async (email: string): Promise<void> => {
		// mailparser throws at some real emails.
		const files = await parse(email).catch(() => undefined);
		if (task.files !== undefined && files !== task.files) {
			throw new Error(`${task.parser} found ${files} files.`);
		}
	};
	await parse(readFileSync(task.warmUp, 'utf8'));
	const peakMemory = await peakOf(parseAll);
	for (let warm = 0; warm < task.times; warm++) await parseAll();
	const start = process.cpuUsage();
	for (let count = 0; count < task.times; count++) await parseAll();
	const { user, system } = process.cpuUsage(start);
	return { time: (user + system) / 1000 / task.times / emails.length, peakMemory };
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
