import { say } from '../../scripts/setup/progress.mjs';
import { compare } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest, type Load } from './contest';
import { startReceivers, type Receivers } from './receivers';

const KILOBYTE = 1024;

/** A setting of n8n, with the goals in it: deliveries per second, compared with an empty trigger. */
interface Setting {
	label: string;
	environment: Record<string, string>;
	oneAtATime: number;
	tenAtOnce: number;
}

/** By default n8n prepares a sandbox for expressions at each delivery, for every node but its own Webhook node. */
const SETTINGS: Setting[] = [
	{ label: 'by default', environment: {}, oneAtATime: 0.95, tenAtOnce: 0.85 },
	{
		// n8n then saves a delivery's static data with one database write more than for an empty trigger.
		label: 'lazy expression engine',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		oneAtATime: 0.75,
		tenAtOnce: 0.7,
	},
];

/** n8n's processor time for a delivery falls by a third until its first thousand: code is compiled. */
const WARM_UP = 600;

/** What the trigger adds to the cost of n8n. The running service delivers one email at a time. */
export const deliver: Benchmark = {
	name: 'deliver',
	title: 'Emails a second that start a workflow in a real n8n, 4 KB each',
	async run(bench) {
		const comparisons: Comparison[] = [];
		for (const setting of SETTINGS) {
			say(`  ${setting.label}`);
			const running = await startReceivers(setting.environment);
			try {
				comparisons.push(...(await measureSetting(setting, running, bench)));
			} finally {
				await running.stop();
			}
		}
		return comparisons;
	},
};

async function measureSetting(
	{ label, oneAtATime, tenAtOnce }: Setting,
	running: Receivers,
	bench: Bench,
): Promise<Comparison[]> {
	const body = await deliveryBodies({ size: 4 * KILOBYTE, attachments: 0 });
	const against = 'empty trigger';
	const contest = async (what: string, atLeast: number, load: Load): Promise<Comparison> => {
		const results = await deliveryContest(running, ['ours', against], body, load, bench);
		const goal = { of: 'ratio', atLeast } as const;
		const sides = { ours: results.ours, against, theirs: results[against] };
		return compare({ what: `${what}, ${label}`, unit: '/s', ...sides, goal });
	};
	const one = { connections: 1, warmUp: WARM_UP, rounds: 24, count: 30 };
	const ten = { connections: 10, warmUp: 40, rounds: 24, count: 60 };
	return [
		await contest('one email after another, as Kurrier delivers', oneAtATime, one),
		await contest('ten emails at once', tenAtOnce, ten),
	];
}
