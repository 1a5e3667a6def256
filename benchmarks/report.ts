import { format } from 'prettier';
import { isReached } from './measure';
import reasons from './reasons.json';
import type { Comparison, Goal, Result, Results } from './types';

const INTRODUCTION = `# Performance

This page compares the package with its alternatives: n8n's own nodes, other community packages, and another MIME parser. \`npm run bench\` writes
this page (\`npm run bench -- --only <name>\` for one section). Both sides are measured in turn on the same machine. Figures are medians; a
ratio is ours divided by theirs. Compare ratios, not figures: those depend on the machine.`;

const HEADINGS = ['what', 'ours', 'against', 'theirs', 'ratio', 'goal'];

/** The page, from what was measured, in the given order: the comparisons that have a goal. */
export async function writePage(results: Results, order: readonly string[]): Promise<string> {
	const measured = order.flatMap((name) => results[name] ?? []);
	const goals = measured.flatMap(withGoals);
	const reached = goals.filter(isReached).length;
	const count = `${reached} of ${goals.length} goals are reached.`;
	const places = measured.map(
		({ measuredAt, n8n, machine }) => `${measuredAt.slice(0, 10)}, n8n ${n8n}, ${machine}`,
	);
	const where = `Measured: ${[...new Set(places)].join('; ')}.`;
	const page = [INTRODUCTION, where, count, ...measured.map(section)].join('\n\n');
	return await format(page, { parser: 'markdown' });
}

function withGoals({ comparisons }: Result): Comparison[] {
	return comparisons.filter(({ goal }) => goal !== undefined);
}

function section(result: Result): string {
	const { name, title } = result;
	const comparisons = withGoals(result);
	const isMissed = comparisons.some((comparison) => isReached(comparison) === false);
	const why = (reasons as Record<string, string>)[name] ?? 'The reason is not known yet.';
	const rows = [HEADINGS, HEADINGS.map(() => '---'), ...comparisons.map(cells)];
	return [
		`## ${name}`,
		`${title}.`,
		rows.map((row) => `| ${row.join(' | ')} |`).join('\n'),
		...(isMissed ? [why] : []),
	].join('\n\n');
}

/** For the terminal: all comparisons, columns under each other. */
export function plainTable(comparisons: readonly Comparison[]): string {
	const rows = [HEADINGS, ...comparisons.map(cells)];
	const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	return rows
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
		.map((line) => line.replaceAll('**', '').trimEnd())
		.join('\n');
}

/** One row, in the order of `HEADINGS`. */
function cells(comparison: Comparison): string[] {
	const { what, unit, ours, against = '', theirs, ratio, goal } = comparison;
	return [
		what,
		withUnit(ours, unit),
		against,
		theirs === undefined ? '' : withUnit(theirs, unit),
		ratio === undefined ? '' : `${ratio < 10 ? ratio.toFixed(2) : shortNumber(ratio)}×`,
		goal === undefined ? '' : goalText(goal, unit, isReached(comparison)),
	];
}

function goalText({ of, atLeast, atMost }: Goal, unit: string, isReached?: boolean): string {
	const [sign, bound] = atLeast === undefined ? ['≤', atMost ?? NaN] : ['≥', atLeast];
	const text = `${sign} ${of === 'ratio' ? `${bound}×` : withUnit(bound, unit)}`;
	return isReached === false ? `**${text}, missed**` : text;
}

function withUnit(value: number, unit: string): string {
	const separator = ['', '/s', '×'].includes(unit) ? '' : ' ';
	return `${shortNumber(value)}${separator}${unit}`;
}

/** Three significant digits, more only before the point. */
function shortNumber(value: number): string {
	if (Number.isInteger(value)) return value.toLocaleString('en');
	const rounded = Number(value.toPrecision(3));
	return Math.abs(rounded) >= 1000 ? rounded.toLocaleString('en') : String(rounded);
}
