/** A number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Random numbers that are the same for the same seed, so that a run can be repeated. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		// mulberry32
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A whole number from `from` up to and including `to`. */
export function between(random: Random, from: number, to: number): number {
	return from + Math.floor(random() * (to - from + 1));
}
