import { compare } from '../measure/compare';
import { quantile } from '../measure/statistics';
import type { Bench, Benchmark, Comparison, Goal } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest, type DeliveryResults } from './contest';
import { startReceivers, type Contestant } from './receivers';
import { SETTINGS } from './settings';

const KILOBYTE = 1024;

const AS_FAST: Goal = { of: 'ratio', atLeast: 0.97 };
const AS_EVEN: Goal = { of: 'ratio', atMost: 1.1 };

/** Small emails, many at a time: what the trigger adds to what n8n itself needs. */
export const deliver4k: Benchmark = {
	name: 'deliver-4k',
	title: 'Trigger → No Operation in a real n8n, emails of 4 KB, 10 connections, executions saved',
	async run(bench: Bench) {
		const comparisons: Comparison[] = [];
		for (const { label, environment } of SETTINGS) {
			bench.say(`  deliver-4k: ${label}`);
			const isDefault = Object.keys(environment).length === 0;
			const running = await startReceivers(bench.scratch, environment);
			try {
				const results = await deliveryContest(
					running,
					deliveryBodies({ size: 4 * KILOBYTE, attachments: 0 }),
					{ count: bench.quick ? 60 : 150, connections: 10, rounds: bench.quick ? 3 : 15 },
				);
				comparisons.push(...judge(results, label, 'empty trigger', true));
				// By default n8n spares its own Webhook node what it does for every other one.
				comparisons.push(...judge(results, label, 'Webhook node', !isDefault));
			} finally {
				await running.stop();
			}
		}
		return { comparisons };
	},
};

function judge(
	results: DeliveryResults,
	label: string,
	against: Exclude<Contestant, 'ours'>,
	hasGoal: boolean,
): Comparison[] {
	const { ours } = results;
	const theirs = results[against];
	const slowest = (throughputs: DeliveryResults['ours']) =>
		throughputs.map(({ latencies }) => quantile(latencies, 0.99));
	return [
		compare({
			what: `accepted, ${label}`,
			unit: '/s',
			ours: ours.map(({ perSecond }) => perSecond),
			against,
			theirs: theirs.map(({ perSecond }) => perSecond),
			goal: hasGoal ? AS_FAST : undefined,
		}),
		compare({
			what: `p99 until the answer, ${label}`,
			unit: 'ms',
			ours: slowest(ours),
			against,
			theirs: slowest(theirs),
			goal: hasGoal ? AS_EVEN : undefined,
		}),
	];
}
