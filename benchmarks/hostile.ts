import { say } from '../scripts/setup/progress.mjs';
import { FAMILIES } from '../test/hostile/families';
import { prepareReading, type ReadingProcess } from '../test/hostile/support/readingProcess';
import { median } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

const MEGABYTE = 1024 * 1024;

/** What anyone can send. */
const USUAL_SIZE = 2 * MEGABYTE;

/** What n8n accepts at most by default, in a delivery. */
const LARGEST_SIZE = 15 * MEGABYTE;

const MAX_READING_MS = 20_000;

/** Number of the slowest inputs that are measured again. */
const WORST = 10;

interface Input {
	label: string;
	family: string;
	input: number;
	way: number;
}

/** Milliseconds. */
interface Reading {
	time: number;
	block: number;
}

interface Measured extends Reading {
	label: string;
}

/** The time that one email of a stranger, or one answer of a service, can take from all others. */
export const hostile: Benchmark = {
	name: 'hostile',
	title: 'Emails, records, responses and deliveries that are made to be slow to read',
	async run(bench: Bench) {
		const processes = prepareReading();
		try {
			const reader = processes.start();
			await reader.read({ ordinary: true, size: USUAL_SIZE / 8, times: 20 });
			const slowest = await findSlowest(reader, bench);
			const rounds = bench.quick ? 1 : 5;
			const usual = await measureAll(reader, slowest, USUAL_SIZE, rounds);
			const largest = await measureAll(reader, slowest, LARGEST_SIZE, rounds);
			return [
				longestBlock('2 MB', usual, 150),
				longestBlock('15 MB', largest, 250),
				longestTime('15 MB', largest, 2500),
			];
		} finally {
			processes.end();
		}
	},
};

/** Reads everything once; the slowest inputs and those that block longest are looked at closely. */
async function findSlowest(reader: ReadingProcess, bench: Bench): Promise<Input[]> {
	const readings: Array<Input & Reading> = [];
	for (const { name: family } of FAMILIES) {
		for (const [input, ways] of (await reader.waysOf(family)).entries()) {
			for (const [way, wayName] of ways.entries()) {
				if (bench.quick && (input > 0 || way > 0)) continue;
				const label = `${family}${input > 0 ? ` (${input + 1})` : ''}, ${wayName}`;
				const found = { label, family, input, way };
				readings.push({ ...found, ...(await read(reader, found, USUAL_SIZE)) });
			}
		}
	}
	say(`${readings.length} inputs of 2 MB were read.`);
	const worst = (key: keyof Reading) =>
		[...readings].sort((one, other) => other[key] - one[key]).slice(0, WORST);
	return [...new Set([...worst('time'), ...worst('block')])];
}

async function read(reader: ReadingProcess, input: Input, size: number): Promise<Reading> {
	const { family, input: number, way } = input;
	const reading = await reader.read({ family, size, input: number, way }, MAX_READING_MS);
	if (reading === 'ended') return { time: MAX_READING_MS, block: MAX_READING_MS };
	return { time: reading.milliseconds, block: reading.longestBlock };
}

async function measureAll(
	reader: ReadingProcess,
	inputs: Input[],
	size: number,
	rounds: number,
): Promise<Measured[]> {
	const measured: Measured[] = [];
	for (const input of inputs) {
		const readings: Reading[] = [];
		for (let round = 0; round < rounds; round++) readings.push(await read(reader, input, size));
		const time = median(readings.map((reading) => reading.time));
		const block = median(readings.map((reading) => reading.block));
		measured.push({ label: input.label, time, block });
	}
	return measured;
}

function longestBlock(size: string, measured: Measured[], atMost: number): Comparison {
	const worst = measured.reduce((one, other) => (other.block > one.block ? other : one));
	return {
		what: `longest time in which n8n does nothing else, ${size}: ${worst.label}`,
		unit: 'ms',
		ours: worst.block,
		goal: { of: 'ours', atMost },
	};
}

function longestTime(size: string, measured: Measured[], atMost: number): Comparison {
	const worst = measured.reduce((one, other) => (other.time > one.time ? other : one));
	return {
		what: `longest time to read, ${size}: ${worst.label}`,
		unit: 'ms',
		ours: worst.time,
		goal: { of: 'ours', atMost },
	};
}
