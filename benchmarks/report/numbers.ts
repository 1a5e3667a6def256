import type { Comparison, Goal } from '../types';

/** Three significant digits, more only where they stand before the point. */
export function shortNumber(value: number): string {
	if (Number.isInteger(value)) return value.toLocaleString('en');
	const rounded = Number(value.toPrecision(3));
	return Math.abs(rounded) >= 1000 ? rounded.toLocaleString('en') : String(rounded);
}

export function withUnit(value: number | undefined, unit: string): string {
	if (value === undefined) return '';
	const separator = unit === '' || unit === '/s' || unit === '×' ? '' : ' ';
	return `${shortNumber(value)}${separator}${unit}`;
}

/** Ratios are about small differences from 1. */
export function ratioText(ratio: number | undefined): string {
	if (ratio === undefined) return '';
	return ratio < 10 ? `${ratio.toFixed(2)}×` : `${shortNumber(ratio)}×`;
}

export function goalText({ goal, unit }: Pick<Comparison, 'goal' | 'unit'>): string {
	if (goal === undefined) return '';
	const bounds: [string, number | undefined][] = [
		['≥', goal.atLeast],
		['≤', goal.atMost],
	];
	return bounds
		.filter((bound): bound is [string, number] => bound[1] !== undefined)
		.map(([sign, bound]) => `${sign} ${boundText(goal, bound, unit)}`)
		.join(', ');
}

function boundText(goal: Goal, bound: number, unit: string): string {
	return goal.of === 'ratio' ? `${bound}×` : withUnit(bound, unit);
}
