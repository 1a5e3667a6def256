/** One measurement of one contestant, by the contestant's name. */
export type Contest<Result> = Record<string, () => Promise<Result>>;

/**
 * Measures all contestants in turn, round after round, each round beginning with another one: whatever
 * the machine does meanwhile meets them all alike.
 *
 * @returns each contestant's results, one a round
 */
export async function inTurn<Result>(
	contest: Contest<Result>,
	rounds: number,
	afterRound: (round: number) => void = () => {},
): Promise<Record<string, Result[]>> {
	const names = Object.keys(contest);
	const results: Record<string, Result[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)]) {
			const result = await contest[name]?.();
			if (result !== undefined) results[name]?.push(result);
		}
		afterRound(round + 1);
	}
	return results;
}

/** One contestant's results. @throws Error when there are none under that name */
export function resultsOf<Result>(results: Record<string, Result[]>, name: string): Result[] {
	const own = results[name];
	if (own === undefined || own.length === 0) throw new Error(`"${name}" was not measured.`);
	return own;
}
