import { say } from '../scripts/setup/progress.mjs';
import { FAMILIES } from '../test/hostile/families';
import { prepareReading, type ReadingProcess } from '../test/hostile/support/readingProcess';
import { median } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

const MEGABYTE = 1024 * 1024;
const SIZE = 2 * MEGABYTE;
const SIZES = [SIZE / 8, SIZE / 2, SIZE];

const MAX_READING_MS = 10_000;

/** Number of the slowest inputs that are measured again, in more sizes and several rounds. */
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
	/** Time per MB in the second half of the input, compared with the whole input: 1 is linear. */
	growth: number;
}

/** The time that one email of a stranger, or one answer of a service, can take. */
export const hostile: Benchmark = {
	name: 'hostile',
	title: 'Emails, records, responses and deliveries of 2 MB that are made to be slow to read',
	async run(bench: Bench) {
		const processes = prepareReading();
		try {
			const reader = processes.start();
			await reader.read({ ordinary: true, size: SIZE / 8, times: 20 });
			const slowest = await findSlowest(reader, bench);
			const rounds = bench.quick ? 1 : 5;
			const measured: Measured[] = [];
			for (const input of slowest) measured.push(await measure(reader, input, rounds));
			return describe(measured, await measureOrdinary(reader, rounds));
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
				readings.push({ ...found, ...(await read(reader, found, SIZE)) });
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

async function measure(reader: ReadingProcess, input: Input, rounds: number): Promise<Measured> {
	const medians: Reading[] = [];
	for (const size of SIZES) {
		const readings: Reading[] = [];
		for (let round = 0; round < rounds; round++) readings.push(await read(reader, input, size));
		const of = (key: keyof Reading) => median(readings.map((reading) => reading[key]));
		medians.push({ time: of('time'), block: of('block') });
	}
	const [small, half, whole] = medians as [Reading, Reading, Reading];
	// Beginning with the small input, because every reading costs something of its own.
	const average = (whole.time - small.time) / (SIZE - SIZE / 8);
	const growth = (whole.time - half.time) / (SIZE / 2) / average;
	return { ...whole, label: input.label, growth };
}

async function measureOrdinary(reader: ReadingProcess, rounds: number): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const reading = await reader.read({ ordinary: true, size: SIZE, times: 1 });
		if (reading !== 'ended') times.push(reading.milliseconds);
	}
	return median(times);
}

function describe(measured: Measured[], ordinary: number): Comparison[] {
	const [slowest] = [...measured].sort((one, other) => other.time - one.time);
	const [longest] = [...measured].sort((one, other) => other.block - one.block);
	if (!slowest || !longest) throw new Error('Nothing was measured.');
	return [
		{
			what: `longest block of the event loop: ${longest.label}`,
			unit: 'ms',
			ours: longest.block,
			goal: { of: 'ours', atMost: 100 },
		},
		{
			what: 'time per MB in the second half of an input, compared with all of it',
			unit: '×',
			ours: Math.max(...measured.map(({ growth }) => growth)),
			goal: { of: 'ours', atMost: 1.25 },
		},
		{
			what: `time to read: ${slowest.label}`,
			unit: 'ms',
			ours: slowest.time,
			against: 'an ordinary newsletter',
			theirs: ordinary,
			goal: { of: 'ours', atMost: 500 },
		},
	];
}
