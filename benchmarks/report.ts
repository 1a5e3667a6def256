import { format } from 'prettier';
import { isReached } from './measure';
import reasons from './reasons.json';
import type { Comparison, Goal, Result, Results } from './types';

const INTRODUCTION = `# Performance

The package compared with n8n's own nodes, other community packages and another MIME parser, both measured in turn. Figures are medians; the
ratio in brackets is ours divided by theirs. Compare ratios: figures depend on the machine. \`npm run bench\` writes this page.`;

const HEADINGS = ['what', 'ours', 'theirs', 'goal'];

/** The share of the processors that other programs may use. */
const QUIET = 0.1;

/** All benchmarks as `docs/performance.md`. */
export async function writePage({ place, measured }: Results): Promise<string> {
	const comparisons = measured.flatMap((result) => result.comparisons);
	const reached = comparisons.filter(isReached).length;
	const paragraphs = [
		INTRODUCTION,
		`Measured on ${place.date} with n8n ${place.n8n}, on ${place.machine}.`,
		...busyTimes(measured),
		`${reached} of ${comparisons.length} goals are reached.`,
		(await writeTable(measured)).trimEnd(),
		measured.flatMap(reasonOf).join('\n'),
	];
	return `${paragraphs.join('\n\n').trimEnd()}\n`;
}

/** One benchmark as it is printed. */
export async function writeSection(result: Result): Promise<string> {
	const lines = [await writeTable([result]), ...busyTimes([result]), ...reasonOf(result)];
	return lines.join('\n');
}

async function writeTable(results: readonly Result[]): Promise<string> {
	const rows = [HEADINGS, HEADINGS.map(() => '---')];
	for (const { name, title, comparisons } of results) {
		rows.push([`**${name}**: ${title}`, '', '', '']);
		for (const comparison of comparisons) rows.push(cellsOf(comparison));
	}
	const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	return await format(table, { parser: 'markdown' });
}

function cellsOf(comparison: Comparison): string[] {
	const { what, unit, ours, against, theirs, ratio, goal } = comparison;
	let own = withUnit(ours, unit);
	if (ratio !== undefined) own += ` (${shortRatio(ratio)}×)`;
	const other = theirs === undefined ? '' : `${withUnit(theirs, unit)}, ${against}`;
	const wanted = goalText(goal, unit);
	// The name of an input may contain what separates the cells.
	const label = what.replaceAll('|', '\\|');
	return [label, own, other, isReached(comparison) ? wanted : `**${wanted}, missed**`];
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
