import { compare } from '../measure/compare';
import type { Bench, Benchmark, Comparison, Goal } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest } from './contest';
import { judge } from './judge';
import { startReceivers, type Receivers } from './receivers';
import { SETTINGS } from './settings';
import { storedSize } from './storedSize';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const NEARLY_AS_FAST: Goal = { of: 'ratio', atLeast: 0.8 };
const A_TENTH: Goal = { of: 'ratio', atMost: 0.1 };

const OTHERS = ['empty trigger', 'Webhook node'] as const;

/** Large emails: ours parses them and stores the files, the others pass everything on as text. */
export const deliver1m: Benchmark = {
	name: 'deliver-1m',
	title: 'The same with emails of 1 MB and two attachments, simplified; the others parse nothing',
	async run(bench: Bench) {
		const comparisons: Comparison[] = [];
		for (const { label, environment, sparesOwnNode } of SETTINGS) {
			bench.say(`  deliver-1m: ${label}`);
			const running = await startReceivers(bench.scratch, environment);
			try {
				const results = await deliveryContest(
					running,
					deliveryBodies({ size: MEGABYTE, attachments: 2 }),
					{ count: 20, connections: 10, rounds: bench.quick ? 3 : 12, warmUp: 10 },
				);
				for (const against of OTHERS) {
					comparisons.push(...judge(results, { label, against, speedGoal: NEARLY_AS_FAST }));
				}
				if (sparesOwnNode) comparisons.push(...(await stored(running)));
			} finally {
				await running.stop();
			}
		}
		return { comparisons };
	},
};

async function stored({ n8n, receivers }: Receivers): Promise<Comparison[]> {
	const ours = await storedSize(n8n, receivers.ours.workflowId);
	const theirs = await storedSize(n8n, receivers['Webhook node'].workflowId);
	const against = 'Webhook node';
	return [
		compare({
			what: 'stored execution data',
			unit: 'KB',
			ours: [ours.database / KILOBYTE],
			against,
			theirs: [theirs.database / KILOBYTE],
			goal: A_TENTH,
		}),
		{
			what: 'attachments, stored as files',
			unit: 'KB',
			ours: ours.files / KILOBYTE,
			against,
			theirs: theirs.files / KILOBYTE,
		},
	];
}
