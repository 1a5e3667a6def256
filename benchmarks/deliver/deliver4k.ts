import type { Bench, Benchmark, Comparison, Goal } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest } from './contest';
import { judge } from './judge';
import { startReceivers } from './receivers';
import { SETTINGS } from './settings';

const KILOBYTE = 1024;

/** No node can be faster than one that does nothing. */
const AS_FAST: Goal = { of: 'ratio', atLeast: 1 };
/** n8n's own node has no credential to look up. */
const NEARLY_AS_FAST: Goal = { of: 'ratio', atLeast: 0.95 };
const AS_EVEN: Goal = { of: 'ratio', atMost: 1.1 };
const AGAINST_EMPTY = { speedGoal: AS_FAST, slowestGoal: AS_EVEN };
const AGAINST_OWN_NODE = { speedGoal: NEARLY_AS_FAST, slowestGoal: AS_EVEN };

/**
 * Of each kind, before anything counts: n8n's processor time for a delivery was seen to fall until its first thousand, by
 * a third, and the more code a node has, the longer it takes to be compiled.
 */
const WARM_UP = 600;

/** Small emails, many at a time: what the trigger adds to what n8n itself needs. */
export const deliver4k: Benchmark = {
	name: 'deliver-4k',
	title: 'Trigger → No Operation in a real n8n, emails of 4 KB, 10 connections, executions saved',
	async run(bench: Bench) {
		const comparisons: Comparison[] = [];
		for (const { label, environment, sparesOwnNode } of SETTINGS) {
			bench.say(`  deliver-4k: ${label}`);
			const running = await startReceivers(bench.scratch, environment);
			try {
				const results = await deliveryContest(
					running,
					deliveryBodies({ size: 4 * KILOBYTE, attachments: 0 }),
					{
						count: bench.quick ? 40 : 60,
						connections: 10,
						rounds: bench.quick ? 3 : 24,
						warmUp: WARM_UP,
					},
				);
				comparisons.push(
					...judge(results, { label, against: 'empty trigger', ...AGAINST_EMPTY }),
					...judge(results, {
						label,
						against: 'Webhook node',
						...(sparesOwnNode ? {} : AGAINST_OWN_NODE),
					}),
				);
			} finally {
				await running.stop();
			}
		}
		return { comparisons };
	},
};
