import type { Comparison, Goal } from './types';

/** One measurement of one contestant, by the contestant's name. */
export type Contest<Result> = Record<string, () => Promise<Result>>;

/** Measures all contestants in turn, each round beginning with another one: other load on the machine meets them alike. */
export async function inTurn<Result>(
	contest: Contest<Result>,
	rounds: number,
): Promise<Record<string, Result[]>> {
	const names = Object.keys(contest);
	const results: Record<string, Result[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)]) {
			const result = await contest[name]?.();
			if (result !== undefined) results[name]?.push(result);
		}
	}
	return results;
}

/** @throws Error when there are no results under that name */
export function resultsOf<Result>(results: Record<string, Result[]>, name: string): Result[] {
	const own = results[name];
	if (own === undefined || own.length === 0) throw new Error(`"${name}" was not measured.`);
	return own;
}

/** The figures of each round, ours and theirs. */
interface Compared {
	what: string;
	unit: string;
	ours: readonly number[];
	against: string;
	theirs: readonly number[];
	goal?: Goal;
}

/** Medians of both sides, and the median of the rounds' ratios: what slows a whole round down cancels out. */
export function compare({ ours, theirs, ...rest }: Compared): Comparison {
	const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN));
	return { ...rest, ours: median(ours), theirs: median(theirs), ratio: median(ratios) };
}

/** Whether a comparison's goal was reached; undefined where there is none. */
export function isReached({ ours, ratio, goal }: Comparison): boolean | undefined {
	const value = goal?.of === 'ours' ? ours : ratio;
	if (goal === undefined || value === undefined) return undefined;
	return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (upper === undefined || lower === undefined) throw new Error('Nothing was measured.');
	return (upper + lower) / 2;
}
