import type { Comparison, Goal } from './types';

/** Measures all contestants in turn; each round begins with another one, so that other load on the machine affects all equally. */
export async function inTurn<Name extends string, Result>(
	contest: Record<Name, () => Promise<Result>>,
	rounds: number,
): Promise<Record<Name, Result[]>> {
	const names = Object.keys(contest) as Name[];
	const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<
		Name,
		Result[]
	>;
	for (let round = 0; round < rounds; round++) {
		const first = round % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)]) {
			results[name].push(await contest[name]());
		}
	}
	return results;
}

interface Compared {
	what: string;
	unit: string;
	ours: readonly number[];
	against: string;
	theirs: readonly number[];
	goal: Goal;
}

/** Medians of both sides, and the median of the ratios of each round, which do not depend on the load during a round. */
export function compare({ ours, theirs, ...rest }: Compared): Comparison {
	const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN));
	return { ...rest, ours: median(ours), theirs: median(theirs), ratio: median(ratios) };
}

export function isReached({ ours, ratio = NaN, goal }: Comparison): boolean {
	const value = goal.of === 'ours' ? ours : ratio;
	return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (upper === undefined || lower === undefined) throw new Error('Nothing was measured.');
	return (upper + lower) / 2;
}
