import { say } from '../scripts/setup/progress.mjs';
import { FAMILIES } from '../test/hostile/families';
import { prepare, type Suspect } from '../test/hostile/suspect';
import { median } from './measure';
import type { Bench, Benchmark, Comparison } from './types';

const MEGABYTE = 1024 * 1024;
const LARGEST = 2 * MEGABYTE;
const SIZES = [LARGEST / 8, LARGEST / 4, LARGEST / 2, LARGEST];

/** Whoever takes longer is ended; that time stands for it. */
const LONGEST_MS = 10_000;
const GOAL_MS = 500;
const GOAL_OF_BLOCK_MS = 100;
const STRAIGHT = 1.25;

/** As many of the slowest are measured again, in more sizes and several rounds. */
const WORST = 10;

/** Megabytes and milliseconds. */
type Point = { x: number; y: number };

interface Input {
	label: string;
	family: string;
	input: number;
	way: number;
}

interface Reading {
	time: number;
	block: number;
}

interface Measured extends Input, Reading {
	points: Point[];
}

/** What a stranger can do to n8n with one email, or a service with one answer. */
export const hostile: Benchmark = {
	name: 'hostile',
	title:
		'Emails, records, responses and deliveries that are made to be slow, 2 MB each, in all ways that read them',
	async run(bench: Bench) {
		const interrogation = prepare();
		try {
			const suspect = interrogation.suspect();
			await suspect.read({ ordinary: true, size: LARGEST / 8, times: 20 });
			const slowest = await findSlowest(suspect, bench);
			const rounds = bench.quick ? 1 : 5;
			const measured: Measured[] = [];
			for (const input of slowest) measured.push(await measure(suspect, input, rounds));
			return describe(measured, await measureOrdinary(suspect, rounds));
		} finally {
			interrogation.end();
		}
	},
};

/** Reads everything once; the slowest and those that block longest are looked at closely. */
async function findSlowest(suspect: Suspect, bench: Bench): Promise<Input[]> {
	const readings: Array<Input & Reading> = [];
	for (const { name: family } of FAMILIES) {
		for (const [input, ways] of (await suspect.waysOf(family)).entries()) {
			for (const [way, wayName] of ways.entries()) {
				if (bench.quick && (input > 0 || way > 0)) continue;
				const label = `${family}${input > 0 ? ` (${input + 1})` : ''}, ${wayName}`;
				const found = { label, family, input, way };
				readings.push({ ...found, ...(await read(suspect, found, LARGEST)) });
			}
		}
	}
	say(`${readings.length} inputs of 2 MB were read.`);
	const by = (key: keyof Reading) => [...readings].sort((a, b) => b[key] - a[key]);
	return [...new Set([...by('time').slice(0, WORST), ...by('block').slice(0, WORST)])];
}

async function read(suspect: Suspect, input: Input, size: number): Promise<Reading> {
	const { family, input: number, way } = input;
	const verdict = await suspect.read({ family, size, input: number, way }, LONGEST_MS);
	if (verdict === 'ended') return { time: LONGEST_MS, block: LONGEST_MS };
	return { time: verdict.milliseconds, block: verdict.longestBlock };
}

async function measure(suspect: Suspect, input: Input, rounds: number): Promise<Measured> {
	const points: Point[] = [];
	let last: Reading[] = [];
	for (const size of SIZES) {
		last = [];
		for (let round = 0; round < rounds; round++) last.push(await read(suspect, input, size));
		points.push({ x: size / MEGABYTE, y: median(last.map(({ time }) => time)) });
	}
	return {
		...input,
		time: median(last.map(({ time }) => time)),
		block: median(last.map(({ block }) => block)),
		points,
	};
}

/** An ordinary newsletter of the same size. */
async function measureOrdinary(suspect: Suspect, rounds: number): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const verdict = await suspect.read({ ordinary: true, size: LARGEST, times: 1 });
		if (verdict !== 'ended') times.push(verdict.milliseconds);
	}
	return median(times);
}

function describe(measured: Measured[], ordinary: number): Comparison[] {
	const [slowest] = [...measured].sort((a, b) => b.time - a.time);
	if (slowest === undefined) throw new Error('Nothing was measured.');
	return [
		{
			what: 'longest block of the event loop, of all',
			unit: 'ms',
			ours: Math.max(...measured.map(({ block }) => block)),
			goal: { of: 'ours', atMost: GOAL_OF_BLOCK_MS },
		},
		{
			what: 'slope of the upper half beside the whole, the steepest of the slowest',
			unit: '×',
			ours: Math.max(...measured.map(({ points }) => steepening(points))),
			goal: { of: 'ours', atMost: STRAIGHT },
		},
		{
			what: `until it is read: ${slowest.label}`,
			unit: 'ms',
			ours: slowest.time,
			against: 'an ordinary newsletter',
			theirs: ordinary,
			goal: { of: 'ours', atMost: GOAL_MS },
		},
	];
}

/** The slope of a curve's second half beside the whole of it: 1 for a straight line, also with an offset at zero. */
function steepening(points: Point[]): number {
	const [first, last] = [points.at(0), points.at(-1)];
	const middle = points.filter(({ x }) => x <= (last?.x ?? 0) / 2).at(-1);
	if (!first || !middle || !last || middle === first) throw new Error('There are too few points.');
	const slope = (from: Point, to: Point) => (to.y - from.y) / (to.x - from.x);
	return slope(middle, last) / slope(first, last);
}
