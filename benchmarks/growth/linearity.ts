import type { Curve } from '../types';

/**
 * How steep the second half of a curve is beside the whole of it: 1 when it is a straight line, more when
 * it bends upwards. A line with an offset at zero stays one.
 */
export function steepening({ points }: Curve): number {
	const sorted = [...points].sort((a, b) => a.x - b.x);
	const middle = sorted.filter(({ x }) => x <= (sorted.at(-1)?.x ?? 0) / 2).at(-1);
	const [first, last] = [sorted.at(0), sorted.at(-1)];
	if (!first || !middle || !last || middle === first) throw new Error('There are too few points.');
	const slope = (from: { x: number; y: number }, to: { x: number; y: number }) =>
		(to.y - from.y) / (to.x - from.x);
	return slope(middle, last) / slope(first, last);
}
