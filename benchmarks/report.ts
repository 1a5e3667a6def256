import { format } from 'prettier';
import { isReached } from './measure';
import reasons from './reasons.json';
import type { Comparison, Goal, Result, Results } from './types';

const INTRODUCTION = `# Performance

The package compared with n8n's own nodes, other community packages and another MIME parser, both measured in turn. Figures are medians; the
ratio in brackets is ours divided by theirs. Compare ratios: figures depend on the machine. \`npm run bench\` writes this page. The
[goals](../benchmarks/goals.md) are for developers.`;

/** Not measured by a benchmark: it takes minutes, and the network. */
const WAITING = `## Waiting

Measured on 2026-11-28, on 2 cores (AMD EPYC), 24 GB of memory:

| what | time |
| --- | --- |
| \`npm start -- --once\`: from a new clone, with empty caches, to the first email | 3 min 4 s, 3 min 44 s, 3 min 13 s |
| \`npm test\`, with n8n installed | 5 min 52 s |`;

const INTRODUCTION_TO_GOALS = `# Goals

What the benchmarks should reach, for the figures of [docs/performance.md](../docs/performance.md). \`npm run bench\` writes this page.`;

const HEADINGS = ['what', 'ours', 'theirs'];
const HEADINGS_OF_GOALS = ['what', 'measured', 'goal'];

/** The share of the processors that other programs may use. */
const QUIET = 0.1;

/** All benchmarks as `docs/performance.md`. */
export async function writePage({ place, measured }: Results): Promise<string> {
	const paragraphs = [
		INTRODUCTION,
		`Measured on ${place.date} with n8n ${place.n8n}, on ${place.machine}.`,
		...busyTimes(measured),
		await writeTable(measured, HEADINGS, figuresOf),
		WAITING,
	];
	return `${paragraphs.join('\n\n').trimEnd()}\n`;
}

/** The goals of all benchmarks as `benchmarks/goals.md`. */
export async function writeGoals({ measured }: Results): Promise<string> {
	const comparisons = measured.flatMap((result) => result.comparisons);
	const reached = comparisons.filter(isReached).length;
	const paragraphs = [
		INTRODUCTION_TO_GOALS,
		`${reached} of ${comparisons.length} goals are reached.`,
		await writeTable(measured, HEADINGS_OF_GOALS, goalOf),
		measured.flatMap(reasonOf).join('\n'),
	];
	return `${paragraphs.join('\n\n').trimEnd()}\n`;
}

/** One benchmark as it is printed. */
export async function writeSection(result: Result): Promise<string> {
	const figures = await writeTable([result], HEADINGS, figuresOf);
	const goals = await writeTable([result], HEADINGS_OF_GOALS, goalOf);
	return [figures, '', goals, ...busyTimes([result]), ...reasonOf(result)].join('\n');
}

async function writeTable(
	results: readonly Result[],
	headings: readonly string[],
	cellsOf: (comparison: Comparison) => string[],
): Promise<string> {
	const rows = [headings, headings.map(() => '---')];
	for (const { name, title, comparisons } of results) {
		rows.push([`**${name}**: ${title}`, ...headings.slice(1).map(() => '')]);
		for (const comparison of comparisons) {
			// The name of an input may contain what separates the cells.
			rows.push([comparison.what.replaceAll('|', '\\|'), ...cellsOf(comparison)]);
		}
	}
	const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	return (await format(table, { parser: 'markdown' })).trimEnd();
}

function figuresOf({ unit, ours, against, theirs, ratio }: Comparison): string[] {
	let own = withUnit(ours, unit);
	if (ratio !== undefined) own += ` (${shortRatio(ratio)}×)`;
	const other = theirs === undefined ? '' : `${withUnit(theirs, unit)}, ${against}`;
	return [own, other];
}

function goalOf(comparison: Comparison): string[] {
	const { unit, ours, ratio, goal } = comparison;
	const measured = goal.of === 'ratio' ? `${shortRatio(ratio ?? NaN)}×` : withUnit(ours, unit);
	const wanted = goalText(goal, unit);
	return [measured, isReached(comparison) ? wanted : `**${wanted}, missed**`];
}

function goalText({ of, atLeast, atMost }: Goal, unit: string): string {
	const unitOfGoal = of === 'ratio' ? '×' : unit;
	if (atLeast !== undefined) return `≥ ${withUnit(atLeast, unitOfGoal)}`;
	return `≤ ${withUnit(atMost ?? NaN, unitOfGoal)}`;
}

/** Figures may be worse than they should be if other programs ran. */
function busyTimes(results: readonly Result[]): string[] {
	const names: string[] = [];
	for (const { name, shareOfOthers } of results) {
		if (shareOfOthers > QUIET) names.push(`${name} (${Math.round(100 * shareOfOthers)} %)`);
	}
	if (names.length === 0) return [];
	return [`The machine was busy with something else before ${names.join(', ')}.`];
}

/** Why a benchmark misses goals. */
function reasonOf({ name, comparisons }: Result): string[] {
	if (comparisons.every(isReached)) return [];
	const why = (reasons as Record<string, string>)[name] ?? 'The reason is not known yet.';
	return [`- **${name}**: ${why}`];
}

const UNITS_WITHOUT_SPACE = ['', '/s', '×'];

function withUnit(value: number, unit: string): string {
	const space = UNITS_WITHOUT_SPACE.includes(unit) ? '' : ' ';
	return `${shortNumber(value)}${space}${unit}`;
}

function shortRatio(ratio: number): string {
	return ratio < 10 ? ratio.toFixed(2) : shortNumber(ratio);
}

/** Three significant digits, more only before the point. */
function shortNumber(value: number): string {
	if (Number.isInteger(value)) return value.toLocaleString('en');
	const rounded = Number(value.toPrecision(3));
	return Math.abs(rounded) >= 1000 ? rounded.toLocaleString('en') : String(rounded);
}
