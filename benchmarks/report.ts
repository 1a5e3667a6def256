import { format } from 'prettier';
import { isReached } from './measure';
import reasons from './reasons.json';
import type { Comparison, Goal, Result, Results } from './types';

const INTRODUCTION = `# Performance

This page compares the package with its alternatives: n8n's own nodes, other community packages, and another MIME parser. \`npm run bench\` writes
this page (\`npm run bench -- --only <name>\` for one section). Both sides are measured in turn on the same machine. Figures are medians; a
ratio is ours divided by theirs. Compare ratios, not figures: those depend on the machine.`;

const HEADINGS = ['what', 'ours', 'against', 'theirs', 'ratio', 'goal'];

export async function writePage(results: Results, order: readonly string[]): Promise<string> {
	const measured = order.flatMap((name) => results[name] ?? []);
	const comparisons = measured.flatMap((result) => result.comparisons);
	const reached = comparisons.filter(isReached).length;
	const count = `${reached} of ${comparisons.length} goals are reached.`;
	const places = measured.map(
		({ measuredAt, n8n, machine }) => `${measuredAt.slice(0, 10)}, n8n ${n8n}, ${machine}`,
	);
	const where = `Measured: ${[...new Set(places)].join('; ')}.`;
	const sections = await Promise.all(measured.map(writeSection));
	return `${INTRODUCTION}\n\n${where}\n\n${count}\n\n${sections.join('\n')}`;
}

export async function writeSection({ name, title, comparisons }: Result): Promise<string> {
	const isMissed = !comparisons.every(isReached);
	const why = (reasons as Record<string, string>)[name] ?? 'The reason is not known yet.';
	const rows = [HEADINGS, HEADINGS.map(() => '---'), ...comparisons.map(cells)];
	const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
	const text = [`## ${name}`, `${title}.`, table, ...(isMissed ? [why] : [])].join('\n\n');
	return await format(text, { parser: 'markdown' });
}

function cells(comparison: Comparison): string[] {
	const { what, unit, ours, against = '', theirs, ratio, goal } = comparison;
	return [
		what,
		withUnit(ours, unit),
		against,
		theirs === undefined ? '' : withUnit(theirs, unit),
		ratio === undefined ? '' : `${ratio < 10 ? ratio.toFixed(2) : shortNumber(ratio)}×`,
		isReached(comparison) ? goalText(goal, unit) : `**${goalText(goal, unit)}, missed**`,
	];
}

function goalText({ of, atLeast, atMost }: Goal, unit: string): string {
	const [sign, bound] = atLeast === undefined ? ['≤', atMost ?? NaN] : ['≥', atLeast];
	return `${sign} ${of === 'ratio' ? `${bound}×` : withUnit(bound, unit)}`;
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
