import type { Comparison, Goal } from './types';

/** Two who do the same, and what they give in each round. */
interface Contest<Figure> {
	ours(): Promise<Figure>;
	theirs(): Promise<Figure>;
}

export interface Rounds<Figure> {
	ours: Figure[];
	theirs: Figure[];
}

/** Measures both in turn; every other round begins with the other one, so that other load on the machine affects both equally. */
export async function inTurn<Figure>(
	contest: Contest<Figure>,
	rounds: number,
): Promise<Rounds<Figure>> {
	const results: Rounds<Figure> = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		const sides: Array<keyof Contest<Figure>> = ['ours', 'theirs'];
		if (round % 2 === 1) sides.reverse();
		for (const side of sides) results[side].push(await contest[side]());
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
