import type { Reading, ReadingProcess, Task } from '../support/readingProcess';
import { MAX_NEWSLETTERS } from '../support/sizes';
import type { Input } from './input';

const MEGABYTE = 1_000_000;

/** Code is compiled when it is first used. */
const TO_COMPILE_MS = 60;

/**
 * More than a newsletter of the same size needs; of large emails, so many times their size. Much of it is garbage: Node.js 24
 * needs 50 MB for any email of small elements between 0.5 and 2 MB.
 */
const MAX_MEMORY_MB = 64;
const MAX_TIMES_OF_LARGE = 10;

const maxMemory = (size: number): number =>
	Math.max(MAX_MEMORY_MB, (MAX_TIMES_OF_LARGE * size) / MEGABYTE);

/** In which n8n can do nothing else. */
const MAX_PIECE_MS = 250;

/** Garbage is collected at any time, and the machine is busy at times. What is slow is slow each time. */
const ATTEMPTS = 4;

/** Readings of a newsletter of which the mean counts: together they take about as long at each size. */
const timesOfNewsletter = (size: number): number => Math.max(1, Math.ceil(MEGABYTE / size));

/** What it costs to read an input. */
export interface Cost {
	input: Input;
	size: number;
	/** The processor time of so many newsletters of the same size. */
	newsletters: number;
	/** Above what such a newsletter needs, in MB. */
	memory: number;
	/** The longest piece, in milliseconds of processor time. */
	piece: number;
	/** What is wrong with it; empty for nothing. */
	fault: string;
}

/** Compares inputs with newsletters of their size, in one process. */
export class CostMeter {
	/** Processor time that was used so far, in milliseconds. */
	used = 0;

	private readonly newsletters = new Map<number, Exclude<Reading, 'ended'>>();

	constructor(private readonly reader: ReadingProcess) {}

	/** Measures once. */
	async estimate(input: Input, size: number): Promise<Cost> {
		const newsletter = this.newsletters.get(size) ?? (await this.readNewsletter(size));
		const limit = MAX_NEWSLETTERS * newsletter.processorMs + TO_COMPILE_MS;
		const reading = await this.read({ input, size }, 2 * limit);
		if (reading === 'ended') {
			const fault = 'takes too long, or more memory than there is';
			return { input, size, newsletters: Infinity, memory: 0, piece: 0, fault };
		}
		const { processorMs, longestPiece: piece, thrown } = reading;
		const newsletters = processorMs / newsletter.processorMs;
		const memory = (reading.peakMemory - newsletter.peakMemory) / MEGABYTE;
		const faults: string[] = [];
		if (thrown !== undefined) faults.push(thrown);
		if (processorMs > limit) faults.push('takes too long');
		if (memory > maxMemory(size)) faults.push('needs too much memory');
		if (piece > MAX_PIECE_MS) faults.push('has too long a piece');
		return { input, size, newsletters, memory, piece, fault: faults.join(', ') };
	}

	/** Measures again before there is a fault, also the newsletter. */
	async judge(input: Input, size: number): Promise<Cost> {
		let cost = await this.estimate(input, size);
		for (let attempt = 1; cost.fault !== '' && attempt < ATTEMPTS; attempt++) {
			this.newsletters.delete(size);
			cost = await this.estimate(input, size);
		}
		return cost;
	}

	/** Reads newsletters until the code for them is compiled. */
	async warmUp(): Promise<void> {
		await this.reader.read({ ordinary: true, size: MEGABYTE / 20, times: 40 }, Infinity);
	}

	private async readNewsletter(size: number): Promise<Exclude<Reading, 'ended'>> {
		const times = timesOfNewsletter(size);
		const reading = await this.read({ ordinary: true, size, times });
		if (reading === 'ended') throw new Error('A newsletter was not read.');
		const one = { ...reading, processorMs: reading.processorMs / times };
		this.newsletters.set(size, one);
		return one;
	}

	private async read(task: Task, maxMs = Infinity): Promise<Reading> {
		// A process that needs more memory than there is ends by itself.
		const reading = await this.reader.read(task, maxMs).catch(() => 'ended' as const);
		this.used += reading === 'ended' ? maxMs : reading.processorMs;
		// The next process has compiled nothing, so the next input would look slow.
		if (reading === 'ended') await this.warmUp();
		return reading;
	}
}
