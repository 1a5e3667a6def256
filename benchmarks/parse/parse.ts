import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMail } from '../../test/dns/support/signedMails';
import { composeEmail } from '../composeEmail';
import { freshProcess } from '../freshProcess';
import { compare, inTurn, type Rounds } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import type { ParserName, ParsingFigures, ParsingTask } from './measureParsing';
import { newsletter, plainParagraphs, styledParagraphs, type ComposeHtml } from './newsletters';
import { selectRealMails } from './realMails';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const SMALL = 8 * KILOBYTE;

/** Multiples of an email. */
const MAX_MEMORY = 3;

const ROUNDS = 9;
const QUICK_ROUNDS = 2;

interface Kind {
	label: string;
	/** An email of about so many characters. */
	compose(size: number): Promise<string>;
	size: number;
	files: number;
	/** How often it is read in one process before it is measured, and then again. Until then V8 has compiled what is used often. */
	times: number;
	/** How many times as fast as mailparser. */
	goal: number;
}

const KINDS: Kind[] = [
	{
		label: '4 KB',
		compose: textAndHtml,
		size: 4 * KILOBYTE,
		files: 0,
		times: 2000,
		goal: 1.5,
	},
	{
		label: '10 MB, 3 files',
		compose: withThreeFiles,
		size: 10 * MEGABYTE,
		files: 3,
		times: 8,
		goal: 8,
	},
	{
		label: 'newsletter of 30 KB',
		compose: ofHtml(newsletter),
		size: 30 * KILOBYTE,
		files: 0,
		times: 800,
		goal: 1.8,
	},
	{
		label: 'newsletter of 130 KB',
		compose: ofHtml(newsletter),
		size: 130 * KILOBYTE,
		files: 0,
		times: 200,
		goal: 1.6,
	},
	{
		label: 'HTML with a style on each element, 100 KB',
		compose: ofHtml(styledParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 150,
		goal: 2,
	},
	{
		label: 'plain HTML, 100 KB',
		compose: ofHtml(plainParagraphs),
		size: 100 * KILOBYTE,
		files: 0,
		times: 150,
		goal: 3,
	},
];

/** Kinds of real emails, each read a few times in one process. */
const REAL = {
	any: { label: 'real emails of any kind', times: 4, goal: 1.35 },
	heavyHtml: { label: 'real emails with much HTML', times: 12, goal: 1.5 },
};

type Measure = (task: ParsingTask) => Promise<ParsingFigures>;

/** From the raw email to the output, files included. */
export const parse: Benchmark = {
	name: 'parse',
	title: 'How many emails a second one processor reads, with their text and files',
	async run(bench: Bench) {
		const script = join(__dirname, 'measureParsing.ts');
		const measure: Measure = await freshProcess(script, bench.scratch, ['--expose-gc']);
		const comparisons: Comparison[] = [];
		for (const kind of KINDS) comparisons.push(...(await measureKind(kind, measure, bench)));
		comparisons.push(await measureBothVersions(measure, bench));
		if (bench.mails !== undefined) {
			const real = await selectRealMails(bench.mails);
			comparisons.push(await measureReal('heavyHtml', real.heavyHtml, measure, bench));
			comparisons.push(await measureReal('any', real.any, measure, bench));
		}
		return comparisons;
	},
};

async function textAndHtml(size: number): Promise<string> {
	return await composeEmail({ size, attachments: 0 });
}

async function withThreeFiles(size: number): Promise<string> {
	return await composeEmail({ size, attachments: 3 });
}

/** Without a text part, which would be there by default. */
function ofHtml(compose: ComposeHtml): Kind['compose'] {
	return async (size) =>
		await composeMail({ from: 'news@shop.example', html: compose(size), text: undefined });
}

async function measureKind(kind: Kind, measure: Measure, bench: Bench): Promise<Comparison[]> {
	const { label, files, times } = kind;
	const email = await kind.compose(kind.size);
	const emails = [await written(bench, 'email.eml', email)];
	const warmUp = await written(bench, 'small.eml', await kind.compose(SMALL));
	const { ours, theirs } = await beside({ emails, warmUp, files, times }, measure, bench);
	const speed = compareSpeed(label, ours, theirs, kind.goal);
	// Smaller emails are lost in what the process takes for itself.
	if (kind.size < MEGABYTE) return [speed];
	const multiplesOf = ({ peakMemory }: ParsingFigures): number => peakMemory / email.length;
	const memory = compare({
		what: `most memory, in multiples of the email, ${label}`,
		unit: '×',
		ours: ours.map(multiplesOf),
		against: 'mailparser',
		theirs: theirs.map(multiplesOf),
		goal: { of: 'ours', atMost: MAX_MEMORY },
	});
	return [speed, memory];
}

async function measureReal(
	kind: keyof typeof REAL,
	emails: string[],
	measure: Measure,
	bench: Bench,
): Promise<Comparison> {
	const { label, times, goal } = REAL[kind];
	const warmUp = emails[0] ?? '';
	const { ours, theirs } = await beside({ emails, warmUp, times }, measure, bench);
	return compareSpeed(`${emails.length} ${label}`, ours, theirs, goal);
}

/** Most emails have a plain text beside their HTML, from which `text` is made. mailparser does not read that HTML. */
async function measureBothVersions(measure: Measure, bench: Bench): Promise<Comparison> {
	const from = 'news@shop.example';
	const html = plainParagraphs(90 * KILOBYTE);
	const text = html.replace(/<[^>]*>/g, '');
	const withText = await written(bench, 'both.eml', await composeMail({ from, html, text }));
	const htmlOnly = await composeMail({ from, html, text: undefined });
	const alone = await written(bench, 'alone.eml', htmlOnly);
	const contestant = (file: string) => async () =>
		await measure({ parser: 'ours', emails: [file], warmUp: alone, files: 0, times: 400 });
	const contest = { ours: contestant(withText), theirs: contestant(alone) };
	const { ours, theirs } = await inTurn(contest, bench.quick ? QUICK_ROUNDS : ROUNDS);
	return compare({
		what: 'time for an email, half text and half HTML, 180 KB',
		unit: 'ms',
		ours: ours.map(({ time }) => time),
		against: 'its HTML alone',
		theirs: theirs.map(({ time }) => time),
		goal: { of: 'ratio', atMost: 1.3 },
	});
}

/** The same task for our reader and mailparser. */
async function beside(
	task: Omit<ParsingTask, 'parser'>,
	measure: Measure,
	bench: Bench,
): Promise<Rounds<ParsingFigures>> {
	const contestant = (parser: ParserName) => async () => await measure({ ...task, parser });
	const contest = { ours: contestant('ours'), theirs: contestant('mailparser') };
	return await inTurn(contest, bench.quick ? QUICK_ROUNDS : ROUNDS);
}

function compareSpeed(
	what: string,
	ours: readonly ParsingFigures[],
	theirs: readonly ParsingFigures[],
	atLeast: number,
): Comparison {
	const perSecond = ({ time }: ParsingFigures): number => 1000 / time;
	return compare({
		what,
		unit: '/s',
		ours: ours.map(perSecond),
		against: 'mailparser',
		theirs: theirs.map(perSecond),
		goal: { of: 'ratio', atLeast },
	});
}

async function written(bench: Bench, name: string, email: string): Promise<string> {
	const file = join(bench.scratch, name);
	await writeFile(file, email);
	return file;
}
