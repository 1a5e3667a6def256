import { compare } from '../measure/compare';
import { quantile } from '../measure/statistics';
import type { Comparison, Goal } from '../types';
import type { Delivered, DeliveryResults } from './contest';
import type { Contestant } from './receivers';

/** How one contest is reported. */
export interface Judgement {
	/** n8n's setting, for the table. */
	label: string;
	against: Exclude<Contestant, 'ours'>;
	speedGoal?: Goal;
	/** For the 99th percentile of the answers' times, in each round. */
	slowestGoal?: Goal;
}

/** Speed, slowest answers and n8n's processor time. */
export function judge(results: DeliveryResults, judgement: Judgement): Comparison[] {
	const { label, against, speedGoal, slowestGoal } = judgement;
	const figures = (what: string, unit: string, read: (one: Delivered) => number, goal?: Goal) =>
		compare({
			what: `${what}, ${label}`,
			unit,
			ours: results.ours.map(read),
			against,
			theirs: results[against].map(read),
			goal,
		});
	const isKnown = results.ours.every(({ processor }) => processor !== undefined);
	return [
		figures('accepted', '/s', ({ perSecond }) => perSecond, speedGoal),
		figures(
			'p99 until the answer',
			'ms',
			({ latencies }) => quantile(latencies, 0.99),
			slowestGoal,
		),
		...(isKnown
			? [figures('processor time a delivery', 'ms', ({ processor }) => processor ?? NaN)]
			: []),
	];
}
