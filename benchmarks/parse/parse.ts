import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeEmail } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParsingFigures, ParsingTask } from './measureParsing';
import type { ParserName } from './parsers';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const MAX_BLOCK_MS = 50;
const MAX_MEMORY = 3;

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

type Measure = (task: ParsingTask) => Promise<ParsingFigures>;

/** From the raw email to the output, files included. */
export const parse: Benchmark = {
	name: 'parse',
	title: 'Raw email to output, against mailparser',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measure: Measure = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const size of SIZES) comparisons.push(...(await measureSize(size, measure, bench)));
		return comparisons;
	},
};

async function measureSize(size: Size, measure: Measure, bench: Bench): Promise<Comparison[]> {
	const { label, attachments, times } = size;
	const email = await composeEmail(size);
	const file = join(bench.scratch, 'email.eml');
	const warmUp = join(bench.scratch, 'small.eml');
	await writeFile(file, email);
	await writeFile(warmUp, await composeEmail({ size: 8 * KILOBYTE, attachments, body: 1000 }));
	const contestant = (parser: ParserName) => async () =>
		await measure({ parser, file, warmUp, files: attachments, times });
	const contest = { ours: contestant('ours'), theirs: contestant('mailparser') };
	const { ours, theirs } = await inTurn(contest, bench.quick ? 2 : 9);
	const sides = (figureOf: (figures: ParsingFigures) => number) => ({
		ours: ours.map(figureOf),
		against: 'mailparser',
		theirs: theirs.map(figureOf),
	});
	const longest = (figures: ParsingFigures[]) =>
		Math.max(...figures.map(({ longestBlock }) => longestBlock));
	return [
		compare({
			what: `emails a second, ${label}`,
			unit: '/s',
			...sides(({ time }) => 1000 / time),
			goal: { of: 'ratio', atLeast: 1 },
		}),
		{
			what: `longest block of the event loop in any round, ${label}`,
			unit: 'ms',
			ours: longest(ours),
			against: 'mailparser',
			theirs: longest(theirs),
			goal: { of: 'ours', atMost: MAX_BLOCK_MS },
		},
		// Smaller emails are lost in what the process takes for itself.
		...(size.size < MEGABYTE
			? []
			: [
					compare({
						what: `peak memory, multiples of the email, ${label}`,
						unit: '×',
						...sides(({ peakMemory }) => peakMemory / email.length),
						goal: { of: 'ours', atMost: MAX_MEMORY },
					}),
				]),
	];
}
