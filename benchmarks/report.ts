import { format } from 'prettier';
import { isReached } from './measure';
import reasons from './reasons.json';
import type { Comparison, Goal, Result, Results } from './types';

const INTRODUCTION = `# Performance

The package compared with n8n's own nodes, other community packages and another MIME parser, both measured in turn. Figures are medians; the
ratio in brackets is ours divided by theirs. Compare ratios: figures depend on the machine. \`npm run bench\` writes this page.`;

const HEADINGS = ['what', 'ours', 'theirs', 'goal'];

export async function writePage({ place, measured }: Results): Promise<string> {
	const comparisons = measured.flatMap((result) => result.comparisons);
	const reached = comparisons.filter(isReached).length;
	const count = `${reached} of ${comparisons.length} goals are reached.`;
	const where = `Measured on ${place.date} with n8n ${place.n8n}, on ${place.machine}.`;
	const why = measured.flatMap(reasonOf);
	return `${INTRODUCTION}\n\n${where}\n\n${count}\n\n${await writeTable(measured)}\n${why.join('\n')}\n`;
}

/** The rows of one benchmark, as it is printed. */
export async function writeSection(result: Result): Promise<string> {
	return [await writeTable([result]), ...reasonOf(result)].join('\n');
}

async function writeTable(results: readonly Result[]): Promise<string> {
	const rows = results.flatMap(({ name, title, comparisons }) => [
		[`**${name}**: ${title}`, '', '', ''],
		...comparisons.map(cells),
	]);
	const lines = [HEADINGS, HEADINGS.map(() => '---'), ...rows];
	const table = lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
	return await format(table, { parser: 'markdown' });
}

/** Why a goal is missed. */
function reasonOf({ name, comparisons }: Result): string[] {
	if (comparisons.every(isReached)) return [];
	const why = (reasons as Record<string, string>)[name] ?? 'The reason is not known yet.';
	return [`- **${name}**: ${why}`];
}

function cells(comparison: Comparison): string[] {
	const { what, unit, ours, against, theirs, ratio, goal } = comparison;
	const times =
		ratio === undefined ? '' : ` (${ratio < 10 ? ratio.toFixed(2) : shortNumber(ratio)}×)`;
	return [
		what,
		`${withUnit(ours, unit)}${times}`,
		theirs === undefined ? '' : `${withUnit(theirs, unit)}, ${against}`,
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
