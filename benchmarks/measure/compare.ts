import type { Comparison, Goal } from '../types';
import { median, medianRatio } from './statistics';

/** What is compared: the figures of each round, ours and theirs. */
export interface Compared {
	what: string;
	unit: string;
	ours: readonly number[];
	against: string;
	theirs: readonly number[];
	goal?: Goal;
}

/** Medians of both sides, and the median of the rounds' ratios. */
export function compare({ ours, theirs, ...rest }: Compared): Comparison {
	return {
		...rest,
		ours: median(ours),
		theirs: median(theirs),
		ratio: medianRatio(ours, theirs),
	};
}

/** Whether a comparison's goal was reached; undefined where there is none. */
export function isReached({ ours, ratio, goal }: Comparison): boolean | undefined {
	if (goal === undefined) return undefined;
	const value = goal.of === 'ours' ? ours : ratio;
	if (value === undefined) return undefined;
	return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}
