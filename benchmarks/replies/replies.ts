import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compare } from '../measure/compare';
import { freshProcess, type FreshProcess } from '../measure/freshProcess';
import { inTurn, resultsOf } from '../measure/inTurn';
import { quantile } from '../measure/statistics';
import type { ParsingFigures, ParsingTask } from '../parse/measureParsing';
import type { ParserName } from '../parse/parsers';
import type { Bench, Benchmark, Comparison } from '../types';
import { composeReply } from './composeReply';

const KILOBYTE = 1024;

const LONGEST_BLOCK_MS = 50;
/** Text and HTML are read as lines once more, and the HTML a second time to cut it. */
const MOST_TIMES = 5;

/** How large, and how many are timed in one process: enough for a fraction of a second. */
const SIZES = [
	{ label: '4 KB', size: 4 * KILOBYTE, times: 400 },
	{ label: '100 KB', size: 100 * KILOBYTE, times: 40 },
	{ label: '1 MB', size: 1024 * KILOBYTE, times: 5 },
];

type Process = FreshProcess<ParsingTask, ParsingFigures>;

/** What the option costs where it is switched on; switched off, its code is not even loaded. */
export const replies: Benchmark = {
	name: 'replies',
	title: 'Reading a reply with Remove Quoted Text, against reading it without',
	async run(bench: Bench) {
		const script = join(__dirname, '../parse/measureParsing.ts');
		const measuring: Process = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const size of SIZES) comparisons.push(...(await measureSize(size, measuring, bench)));
		return { comparisons };
	},
};

async function measureSize(
	{ label, size, times }: (typeof SIZES)[number],
	measuring: Process,
	bench: Bench,
): Promise<Comparison[]> {
	const file = join(bench.scratch, 'reply.eml');
	const warmUp = join(bench.scratch, 'small-reply.eml');
	await writeFile(file, composeReply(size));
	await writeFile(warmUp, composeReply(KILOBYTE));
	const contestant = (parser: ParserName) => async () =>
		await measuring.run({ parser, file, warmUp, files: 0, times });
	const rounds = bench.quick ? 2 : 9;
	const results = await inTurn({ on: contestant('newText'), off: contestant('ours') }, rounds);
	const on = resultsOf(results, 'on');
	const off = resultsOf(results, 'off');
	return [
		compare({
			what: `time for a reply of ${label}`,
			unit: 'ms',
			ours: on.map(({ time }) => time),
			against: 'without the option',
			theirs: off.map(({ time }) => time),
			goal: { of: 'ratio', atMost: MOST_TIMES },
		}),
		{
			what: `longest block of the event loop in any round, ${label}`,
			unit: 'ms',
			ours: longest(on),
			against: 'without the option',
			theirs: longest(off),
			goal: { of: 'ours', atMost: LONGEST_BLOCK_MS },
		},
	];
}

function longest(figures: ParsingFigures[]): number {
	return quantile(
		figures.map(({ longestBlock }) => longestBlock),
		1,
	);
}
