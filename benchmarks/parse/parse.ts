import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMail } from '../../test/dns/support/signedMails';
import { composeEmail } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParsingFigures, ParsingTask } from './measureParsing';
import { newsletter, plainParagraphs, styledParagraphs, type ComposeHtml } from './newsletters';
import type { ParserName } from './parsers';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const MAX_BLOCK_MS = 50;
const MAX_MEMORY = 3;

interface Kind {
	label: string;
	/** An email of this size, and a small one of the same kind. */
	compose(size: number): Promise<string>;
	size: number;
	files: number;
	/** Emails timed in one process; enough for a fraction of a second. */
	times: number;
	/** How many times as fast as mailparser. */
	goal: number;
}

const SMALL = 8 * KILOBYTE;

const ordinary = (files: number, body?: number) => async (size: number) =>
	await composeEmail({ size, attachments: files, body: size === SMALL ? 1000 : body });

const ofHtml =
	(compose: ComposeHtml, hasText = false) =>
	async (size: number) => {
		const html = compose(hasText ? size / 2 : size);
		const text = hasText ? html.replace(/<[^>]*>/g, '') : undefined;
		return await composeMail({ from: 'news@shop.example', html, text });
	};

const KINDS: Kind[] = [
	{ label: '4 KB', compose: ordinary(0), size: 4 * KILOBYTE, files: 0, times: 400, goal: 1 },
	{
		label: '180 KB',
		compose: ordinary(1, 90 * KILOBYTE),
		size: 180 * KILOBYTE,
		files: 1,
		times: 40,
		goal: 1,
	},
	{
		label: '10 MB, 3 files',
		compose: ordinary(3),
		size: 10 * MEGABYTE,
		files: 3,
		times: 5,
		goal: 1,
	},
	...[30, 130].map((size) => ({
		label: `newsletter of ${size} KB`,
		compose: ofHtml(newsletter),
		size: size * KILOBYTE,
		files: 0,
		times: 6000 / size,
		goal: 1.5,
	})),
	{
		label: 'HTML with a style on each element, 100 KB',
		compose: ofHtml(styledParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 60,
		goal: 1.1,
	},
	{
		label: 'plain HTML, 100 KB',
		compose: ofHtml(plainParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 60,
		goal: 1.5,
	},
	{
		label: 'half text and half HTML, 180 KB',
		compose: ofHtml(plainParagraphs, true),
		size: 180 * KILOBYTE,
		files: 0,
		times: 40,
		goal: 1.3,
	},
];

type Measure = (task: ParsingTask) => Promise<ParsingFigures>;

/** From the raw email to the output, files included. */
export const parse: Benchmark = {
	name: 'parse',
	title:
		'Raw email to output, against mailparser; blocks of the event loop are the longest of any round',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measure: Measure = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const kind of KINDS) comparisons.push(...(await measureKind(kind, measure, bench)));
		return comparisons;
	},
};

async function measureKind(kind: Kind, measure: Measure, bench: Bench): Promise<Comparison[]> {
	const { label, compose, files, times, goal } = kind;
	const email = await compose(kind.size);
	const file = join(bench.scratch, 'email.eml');
	const warmUp = join(bench.scratch, 'small.eml');
	await writeFile(file, email);
	await writeFile(warmUp, await compose(SMALL));
	const contestant = (parser: ParserName) => async () =>
		await measure({ parser, file, warmUp, files, times });
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
			goal: { of: 'ratio', atLeast: goal },
		}),
		{
			what: `longest block, ${label}`,
			unit: 'ms',
			ours: longest(ours),
			against: 'mailparser',
			theirs: longest(theirs),
			goal: { of: 'ours', atMost: MAX_BLOCK_MS },
		},
		// Smaller emails are lost in what the process takes for itself.
		...(kind.size < MEGABYTE
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
