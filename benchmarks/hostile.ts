import { say } from '../scripts/setup/progress.mjs';
import { FAMILIES } from '../test/hostile/families';
import type { Task } from '../test/hostile/support/child';
import { DELIVERY_FAMILIES } from '../test/hostile/families/records';
import {
	prepareReading,
	type ReadingProcess,
	type ReadingProcesses,
} from '../test/hostile/support/readingProcess';
import { MAX_NEWSLETTERS, SIZES_AT_LIMITS } from '../test/hostile/support/sizes';
import { compare, inTurn, median } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

const MEGABYTE = 1024 * 1024;

/** What anyone can send. */
const USUAL_SIZE = 2 * MEGABYTE;

/** What n8n accepts at most by default, in a delivery. */
const LARGEST_SIZE = 15 * MEGABYTE;

/** One takes too little time to be measured. */
const NEWSLETTERS = 20;

const MAX_READING_MS = 20_000;

/** Number of the worst inputs by each figure that are measured again. */
const WORST = 10;

const ROUNDS = 3;

/** What has just become garbage is not needed. A process keeps more of it; n8n's has its share already. */
const FOR_MEMORY = ['--expose-gc', '--max-semi-space-size=4'];

/** An input of a family, by its number, and the number of a way in which it is read. */
interface Input {
	label: string;
	family: string;
	input: number;
	way: number;
}

/** What one reading took. */
interface Reading {
	input: Input;
	/** Milliseconds in all. */
	time: number;
	/** The longest time in which the process did nothing else, in milliseconds. */
	block: number;
	/** The most memory, in multiples of the input; only with `FOR_MEMORY`. */
	memory: number;
}

type Figure = 'block' | 'memory' | 'time';

/** A line of the page: the largest figure of some readings. */
interface Line {
	what: string;
	figure: Figure;
	unit: string;
	atMost: number;
}

export const hostile: Benchmark = {
	name: 'hostile',
	title:
		'What the worst known email of a stranger takes from all other workflows, also with Sender Check',
	async run(bench: Bench) {
		const processes = prepareReading();
		try {
			return await measure(processes, bench.quick);
		} finally {
			processes.end();
		}
	},
};

async function measure(processes: ReadingProcesses, quick: boolean): Promise<Comparison[]> {
	const reader = processes.start();
	await warmUp(reader);
	const inputs = await listInputs(reader, quick);
	const readings = await readAll(reader, inputs);
	say(`  ${inputs.length} inputs of 2 MB were read.`);
	const deliveries = readings.filter(({ input }) => isDelivery(input));
	const emails = readings.filter(({ input }) => !isDelivery(input));
	const everything = inputs.filter((input) => input.way === 0 && !isDelivery(input));
	const forMemory = await readAll(processes.start(FOR_MEMORY), everything);

	const rounds = quick ? 1 : ROUNDS;
	const blocking = worst(emails, 'block');
	const slow = worst(emails, 'time');
	const hungry = worst(forMemory, 'memory');
	const usual = await readAgain(reader, blocking, USUAL_SIZE, rounds);
	const largest = await readAgain(reader, new Set([...blocking, ...slow]), LARGEST_SIZE, rounds);
	const alone: Reading[] = [];
	for (const input of hungry) alone.push(await readAlone(processes, input));
	return [
		await atTheLimits(reader, rounds),
		worstOf(usual, {
			what: '2 MB: nothing else runs for',
			figure: 'block',
			unit: 'ms',
			atMost: 150,
		}),
		worstOf(largest, {
			what: '15 MB: nothing else runs for',
			figure: 'block',
			unit: 'ms',
			atMost: 250,
		}),
		worstOf(largest, { what: '15 MB: time in all', figure: 'time', unit: 'ms', atMost: 2500 }),
		worstOf(alone, { what: '15 MB: memory', figure: 'memory', unit: '×', atMost: 10 }),
		await besideParsing(reader, worst(deliveries, 'block'), rounds),
	];
}

/** The input that takes most processor time at a size around the limits of what is read, beside a newsletter of that size. */
async function atTheLimits(reader: ReadingProcess, rounds: number): Promise<Comparison> {
	const found: Array<{ what: string; size: number; task: Task; ratio: number }> = [];
	for (const size of SIZES_AT_LIMITS) {
		const newsletter = await newsletterMs(reader, size);
		for (const { name: family } of FAMILIES) {
			const task = { family, size, input: 0, way: 0 };
			const ratio = (await processorMs(reader, task)) / newsletter;
			found.push({ what: `${size / 1000} KB (${family})`, size, task, ratio });
		}
	}
	const { what, size, task } = found.reduce((one, other) =>
		other.ratio > one.ratio ? other : one,
	);
	const { ours, theirs } = await inTurn(
		{
			ours: async () => await processorMs(reader, task),
			theirs: async () => await newsletterMs(reader, size),
		},
		rounds,
	);
	return compare({
		what: `at the limits of what is read, ${what}`,
		unit: 'ms',
		ours,
		against: 'a newsletter of this size',
		theirs,
		goal: { of: 'ratio', atMost: MAX_NEWSLETTERS },
	});
}

async function newsletterMs(reader: ReadingProcess, size: number): Promise<number> {
	return (await processorMs(reader, { ordinary: true, size, times: NEWSLETTERS })) / NEWSLETTERS;
}

async function processorMs(reader: ReadingProcess, task: Task): Promise<number> {
	const reading = await reader.read(task, MAX_READING_MS);
	return reading === 'ended' ? MAX_READING_MS : reading.processorMs;
}

/** Only someone who knows the URL of a webhook can send one, and n8n itself reads JSON in one call. */
function isDelivery({ family }: Input): boolean {
	return DELIVERY_FAMILIES.some(({ name }) => name === family);
}

/** The worst delivery, beside the same call of n8n. */
async function besideParsing(
	reader: ReadingProcess,
	inputs: ReadonlySet<Input>,
	rounds: number,
): Promise<Comparison> {
	const readings = await readAgain(reader, inputs, LARGEST_SIZE, 1);
	const { input } = largestOf(readings, 'block');
	const contest = {
		ours: async () => (await readOnce(reader, input, LARGEST_SIZE)).block,
		theirs: async () => await Promise.resolve(timeToParse(input)),
	};
	const { ours, theirs } = await inTurn(contest, rounds);
	return compare({
		what: `a delivery of 15 MB: nothing else runs for (${input.label})`,
		unit: 'ms',
		ours,
		against: '`JSON.parse` alone, as in n8n',
		theirs,
		goal: { of: 'ratio', atMost: 1.25 },
	});
}

function timeToParse({ family, input }: Input): number {
	const made = FAMILIES.find(({ name }) => name === family)?.make(LARGEST_SIZE)[input];
	if (made === undefined || !('delivery' in made)) throw new Error(`${family} has no delivery.`);
	const start = performance.now();
	JSON.parse(made.delivery);
	return performance.now() - start;
}

/** Ordinary emails, until their code is compiled. */
async function warmUp(reader: ReadingProcess): Promise<void> {
	await reader.read({ ordinary: true, size: USUAL_SIZE / 8, times: 20 });
}

/** With `quick`, one input of each family. */
async function listInputs(reader: ReadingProcess, quick: boolean): Promise<Input[]> {
	const found: Input[] = [];
	for (const { name: family } of FAMILIES) {
		for (const [input, ways] of (await reader.waysOf(family)).entries()) {
			for (const way of waysToRead(input, ways.length)) {
				const number = input > 0 ? ` (${input + 1})` : '';
				found.push({ label: `${family}${number}, ${ways[way]}`, family, input, way });
			}
		}
	}
	return quick ? found.filter(({ input, way }) => input === 0 && way === 0) : found;
}

/** The first input is read in every way, the others without Sender Check and, if they are signed, with it. */
function waysToRead(input: number, count: number): Set<number> {
	if (input > 0) return new Set([0, count - 1]);
	return new Set(Array.from({ length: count }, (_, way) => way));
}

async function readAll(reader: ReadingProcess, inputs: readonly Input[]): Promise<Reading[]> {
	const readings: Reading[] = [];
	for (const input of inputs) readings.push(await readOnce(reader, input, USUAL_SIZE));
	return readings;
}

async function readOnce(reader: ReadingProcess, input: Input, size: number): Promise<Reading> {
	const { family, input: number, way } = input;
	const figures = await reader.read({ family, size, input: number, way }, MAX_READING_MS);
	if (figures === 'ended') {
		return { input, time: MAX_READING_MS, block: MAX_READING_MS, memory: 0 };
	}
	const { milliseconds, longestPiece, peakMemory } = figures;
	return { input, time: milliseconds, block: longestPiece, memory: peakMemory / size };
}

/** The inputs with the largest figures. */
function worst(readings: readonly Reading[], figure: Figure): Set<Input> {
	const sorted = [...readings].sort((one, other) => other[figure] - one[figure]);
	return new Set(sorted.slice(0, WORST).map(({ input }) => input));
}

/** @returns the medians of each input */
async function readAgain(
	reader: ReadingProcess,
	inputs: ReadonlySet<Input>,
	size: number,
	rounds: number,
): Promise<Reading[]> {
	const medians: Reading[] = [];
	for (const input of inputs) {
		const readings: Reading[] = [];
		for (let round = 0; round < rounds; round++) {
			readings.push(await readOnce(reader, input, size));
		}
		const medianOf = (figure: Figure) => median(readings.map((reading) => reading[figure]));
		const [time, block, memory] = [medianOf('time'), medianOf('block'), medianOf('memory')];
		medians.push({ input, time, block, memory });
	}
	return medians;
}

/** In a process of its own, because memory that was used before could be used again. */
async function readAlone(processes: ReadingProcesses, input: Input): Promise<Reading> {
	const reader = processes.start(FOR_MEMORY);
	try {
		await warmUp(reader);
		return await readOnce(reader, input, LARGEST_SIZE);
	} finally {
		reader.end();
	}
}

function worstOf(readings: readonly Reading[], line: Line): Comparison {
	const { what, figure, unit, atMost } = line;
	const found = largestOf(readings, figure);
	return {
		what: `${what} (${found.input.label})`,
		unit,
		ours: found[figure],
		goal: { of: 'ours', atMost },
	};
}

function largestOf(readings: readonly Reading[], figure: Figure): Reading {
	return readings.reduce((one, other) => (other[figure] > one[figure] ? other : one));
}
