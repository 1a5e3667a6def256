import type { Bench, Benchmark, Comparison, Curve } from '../types';
import { growthOfDeliveries } from './growthOfDeliveries';
import { growthOfLists } from './growthOfLists';
import { steepening } from './linearity';

/** A straight line within what can be measured; a cost that grows with the square would give 1.5. */
const STRAIGHT = 1.25;

/** How the cost of a delivery grows with the email, and that of Get Many with the list. */
export const growth: Benchmark = {
	name: 'growth',
	title: 'Cost of a delivery by the size of the email, and of Get Many by the length of the list',
	async run(bench: Bench) {
		const deliveries = await growthOfDeliveries(bench);
		const lists = await growthOfLists(bench);
		return {
			comparisons: [
				straightness('a delivery, 1 KB to 15 MB', deliveries),
				straightness('Get Many, 100 to 100,000', lists),
			],
			growth: [
				{
					id: 'deliveries',
					title: 'A delivery, until n8n has answered',
					xLabel: 'size of the email in MB',
					yLabel: 'milliseconds',
					curves: deliveries,
				},
				{
					id: 'lists',
					title: 'Identity Get Many, Return All, Simplify',
					xLabel: 'identities in thousands',
					yLabel: 'milliseconds',
					curves: lists,
				},
			],
		};
	},
};

function straightness(what: string, [ours, theirs]: Curve[]): Comparison {
	if (ours === undefined || theirs === undefined) throw new Error('A curve is missing.');
	return {
		what: `slope of the upper half beside the whole, ${what}`,
		unit: '×',
		ours: steepening(ours),
		against: theirs.label,
		theirs: steepening(theirs),
		goal: { of: 'ours', atMost: STRAIGHT },
	};
}
