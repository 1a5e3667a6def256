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
import { selectRealMails } from './realMails';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

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

const ROUNDS = 9;

const ordinary = (files: number, body?: number) => async (size: number) =>
	await composeEmail({ size, attachments: files, body: size === SMALL ? 1000 : body });

const ofHtml = (compose: ComposeHtml) => async (size: number) =>
	// Without a text part, which would be there by default.
	await composeMail({ from: 'news@shop.example', html: compose(size), text: undefined });

const KINDS: Kind[] = [
	{ label: '4 KB', compose: ordinary(0), size: 4 * KILOBYTE, files: 0, times: 400, goal: 1.5 },
	{
		label: '10 MB, 3 files',
		compose: ordinary(3),
		size: 10 * MEGABYTE,
		files: 3,
		times: 5,
		goal: 8,
	},
	{
		label: 'newsletter of 30 KB',
		compose: ofHtml(newsletter),
		size: 30 * KILOBYTE,
		files: 0,
		times: 200,
		goal: 1.8,
	},
	{
		label: 'newsletter of 130 KB',
		compose: ofHtml(newsletter),
		size: 130 * KILOBYTE,
		files: 0,
		times: 45,
		goal: 1.6,
	},
	{
		label: 'HTML with a style on each element, 100 KB',
		compose: ofHtml(styledParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 60,
		goal: 2,
	},
	{
		label: 'plain HTML, 100 KB',
		compose: ofHtml(plainParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 60,
		goal: 3,
	},
];

type Measure = (task: ParsingTask) => Promise<ParsingFigures>;

/** From the raw email to the output, files included. */
export const parse: Benchmark = {
	name: 'parse',
	title: 'Emails a second that are read, with their text and files, by one processor',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measure: Measure = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const kind of KINDS) comparisons.push(...(await measureKind(kind, measure, bench)));
		comparisons.push(await measureBothVersions(measure, bench));
		if (bench.mails !== undefined) {
			comparisons.push(...(await measureRealMails(bench.mails, measure, bench)));
		}
		return comparisons;
	},
};

async function measureKind(kind: Kind, measure: Measure, bench: Bench): Promise<Comparison[]> {
	const { label, compose, files, times, goal } = kind;
	const email = await compose(kind.size);
	const emails = [await written(bench, 'email.eml', email)];
	const warmUp = await written(bench, 'small.eml', await compose(SMALL));
	const contestant = (parser: ParserName) => async () =>
		await measure({ parser, emails, warmUp, files, times });
	const contest = { ours: contestant('ours'), theirs: contestant('mailparser') };
	const { ours, theirs } = await inTurn(contest, bench.quick ? 2 : ROUNDS);
	const sides = (figureOf: (figures: ParsingFigures) => number) => ({
		ours: ours.map(figureOf),
		against: 'mailparser',
		theirs: theirs.map(figureOf),
	});
	const speed = compare({
		what: label,
		unit: '/s',
		...sides(({ time }) => 1000 / time),
		goal: { of: 'ratio', atLeast: goal },
	});
	// Smaller emails are lost in what the process takes for itself.
	if (kind.size < MEGABYTE) return [speed];
	const memory = compare({
		what: `most memory, multiples of the email, ${label}`,
		unit: '×',
		...sides(({ peakMemory }) => peakMemory / email.length),
		goal: { of: 'ours', atMost: MAX_MEMORY },
	});
	return [speed, memory];
}

/** Most emails have a plain text beside their HTML, and what they say is compared. mailparser does not read that HTML. */
async function measureBothVersions(measure: Measure, bench: Bench): Promise<Comparison> {
	const half = 90 * KILOBYTE;
	const html = plainParagraphs(half);
	const text = html.replace(/<[^>]*>/g, '');
	const from = 'news@shop.example';
	const both = await written(bench, 'both.eml', await composeMail({ from, html, text }));
	const alone = await written(
		bench,
		'html.eml',
		await composeMail({ from, html, text: undefined }),
	);
	const contestant = (file: string) => async () =>
		await measure({ parser: 'ours', emails: [file], warmUp: alone, files: 0, times: 40 });
	const contest = { both: contestant(both), alone: contestant(alone) };
	const results = await inTurn(contest, bench.quick ? 2 : ROUNDS);
	return compare({
		what: 'time for an email, half text and half HTML, 180 KB',
		unit: 'ms',
		ours: results.both.map(({ time }) => time),
		against: 'its HTML alone',
		theirs: results.alone.map(({ time }) => time),
		goal: { of: 'ratio', atMost: 1.3 },
	});
}

/** @param folder with raw emails as files */
async function measureRealMails(
	folder: string,
	measure: Measure,
	bench: Bench,
): Promise<Comparison[]> {
	const { any, heavyHtml } = await selectRealMails(folder);
	const measureSet = async (what: string, emails: string[], atLeast: number) => {
		const contestant = (parser: ParserName) => async () =>
			await measure({ parser, emails, warmUp: emails[0] ?? '', times: 1 });
		const contest = { ours: contestant('ours'), theirs: contestant('mailparser') };
		const { ours, theirs } = await inTurn(contest, bench.quick ? 2 : ROUNDS);
		return compare({
			what: `${emails.length} ${what}`,
			unit: '/s',
			ours: ours.map(({ time }) => 1000 / time),
			against: 'mailparser',
			theirs: theirs.map(({ time }) => 1000 / time),
			goal: { of: 'ratio', atLeast },
		});
	};
	return [
		await measureSet('real emails with much HTML', heavyHtml, 1.5),
		await measureSet('real emails of any kind', any, 1.35),
	];
}

async function written(bench: Bench, name: string, email: string): Promise<string> {
	const file = join(bench.scratch, name);
	await writeFile(file, email);
	return file;
}
