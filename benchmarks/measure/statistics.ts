/** The value below which a share of all values lies; the nearest one that was measured. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const index = Math.max(0, Math.ceil(share * sorted.length) - 1);
	const value = sorted[index];
	if (value === undefined) throw new Error('Nothing was measured.');
	return value;
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (upper === undefined || lower === undefined) throw new Error('Nothing was measured.');
	return (upper + lower) / 2;
}

/** The median of ours divided by theirs, round by round: what slows a whole round down cancels out. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
	return median(ours.map((value, round) => value / (theirs[round] ?? NaN)));
}
