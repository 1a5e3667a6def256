import { isReached } from '../measure/compare';
import type { Comparison } from '../types';
import { goalText, ratioText, withUnit } from './numbers';

export const HEADINGS = ['what', 'ours', 'against', 'theirs', 'ratio', 'goal', 'reached'];

const REACHED = { yes: 'yes', no: '**no**', unknown: '' };

/** One row of the table, as texts in the order of `HEADINGS`. */
export function cells(comparison: Comparison): string[] {
	const { what, unit, ours, against = '', theirs, ratio } = comparison;
	const reached = isReached(comparison);
	return [
		what,
		withUnit(ours, unit),
		against,
		withUnit(theirs, unit),
		ratioText(ratio),
		goalText(comparison),
		reached === undefined ? REACHED.unknown : reached ? REACHED.yes : REACHED.no,
	];
}

/** For the terminal: columns under each other. */
export function plainTable(comparisons: readonly Comparison[]): string {
	const rows = [HEADINGS, ...comparisons.map(cells)].map((row) =>
		row.map((cell) => cell.replaceAll('*', '')),
	);
	const widths = HEADINGS.map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

export function markdownTable(comparisons: readonly Comparison[]): string {
	const rows = [HEADINGS, HEADINGS.map(() => '---'), ...comparisons.map(cells)];
	return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
