import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeEmail } from '../composeEmail';
import { freshProcess, type FreshProcess } from '../freshProcess';
import { compare, inTurn, resultsOf } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParsingFigures, ParsingTask } from './measureParsing';
import type { ParserName } from './parsers';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const LONGEST_BLOCK_MS = 50;
const MOST_MEMORY = 3;

interface Size {
	label: string;
	size: number;
	attachments: number;
	body?: number;
	/** Emails timed in one process; enough for a fraction of a second. */
	times: number;
}

const SIZES: Size[] = [
	{ label: '4 KB', size: 4 * KILOBYTE, attachments: 0, times: 400 },
	{ label: '180 KB', size: 180 * KILOBYTE, attachments: 1, body: 90 * KILOBYTE, times: 40 },
	{ label: '10 MB, 3 files', size: 10 * MEGABYTE, attachments: 3, times: 5 },
];

type Process = FreshProcess<ParsingTask, ParsingFigures>;

/** From the raw email to the output, files included. */
export const parse: Benchmark = {
	name: 'parse',
	title: 'Raw email to output, against mailparser',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measuring: Process = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const size of SIZES) comparisons.push(...(await measureSize(size, measuring, bench)));
		return comparisons;
	},
};

async function measureSize(size: Size, measuring: Process, bench: Bench): Promise<Comparison[]> {
	const { label, attachments, times } = size;
	const email = await composeEmail(size);
	const file = join(bench.scratch, 'email.eml');
	const warmUp = join(bench.scratch, 'small.eml');
	await writeFile(file, email);
	await writeFile(warmUp, await composeEmail({ size: 8 * KILOBYTE, attachments, body: 1000 }));
	const contestant = (parser: ParserName) => async () =>
		await measuring.run({ parser, file, warmUp, files: attachments, times });
	const rounds = bench.quick ? 2 : 9;
	const results = await inTurn(
		{ ours: contestant('ours'), mailparser: contestant('mailparser') },
		rounds,
	);
	const ours = resultsOf(results, 'ours');
	const theirs = resultsOf(results, 'mailparser');
	const against = 'mailparser';
	return [
		compare({
			what: `emails a second, ${label}`,
			unit: '/s',
			ours: ours.map(({ time }) => 1000 / time),
			against,
			theirs: theirs.map(({ time }) => 1000 / time),
			goal: { of: 'ratio', atLeast: 1 },
		}),
		{
			what: `longest block of the event loop in any round, ${label}`,
			unit: 'ms',
			ours: longest(ours),
			against,
			theirs: longest(theirs),
			goal: { of: 'ours', atMost: LONGEST_BLOCK_MS },
		},
		compare({
			what: `peak memory, multiples of the email, ${label}`,
			unit: '×',
			ours: ours.map(({ peakMemory }) => peakMemory / email.length),
			against,
			theirs: theirs.map(({ peakMemory }) => peakMemory / email.length),
			// The smaller ones are lost in what the process takes for itself anyway.
			goal: size.size >= MEGABYTE ? { of: 'ours', atMost: MOST_MEMORY } : undefined,
		}),
	];
}

const longest = (figures: ParsingFigures[]): number =>
	Math.max(...figures.map(({ longestBlock }) => longestBlock));
