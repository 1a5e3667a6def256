import { say } from '../../scripts/setup/progress.mjs';
import { compare, inTurn, type Rounds } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { startReceivers, untilIdle, type Receivers } from './receivers';
import { composeDeliveries, sendDeliveries, type NextDelivery } from './sendDeliveries';

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

/** Deliveries to each trigger: at first some that do not count, then so many in each round. */
interface Load {
	what: string;
	connections: number;
	warmUp: number;
	count: number;
}

/** n8n's processor time for a delivery falls by a third until its first thousand: code is compiled. */
const ONE: Load = {
	what: 'one after another, as the service delivers',
	connections: 1,
	warmUp: 600,
	count: 30,
};

const TEN: Load = { what: 'ten at once', connections: 10, warmUp: 40, count: 60 };

const ROUNDS = 24;
const QUICK_ROUNDS = 3;

/** What the trigger adds to the cost of n8n. */
export const deliver: Benchmark = {
	name: 'deliver',
	title: 'How many emails a second start a workflow in a real n8n, 4 KB each',
	async run(bench) {
		const next = await composeDeliveries(4 * KILOBYTE);
		const comparisons: Comparison[] = [];
		for (const { label, environment, oneAtATime, tenAtOnce } of SETTINGS) {
			say(`  ${label}`);
			const receivers = await startReceivers(environment);
			try {
				const one = await contest(receivers, next, ONE, bench);
				const ten = await contest(receivers, next, TEN, bench);
				comparisons.push(compareSides(`${ONE.what}, ${label}`, one, oneAtATime));
				comparisons.push(compareSides(`${TEN.what}, ${label}`, ten, tenAtOnce));
			} finally {
				await receivers.stop();
			}
		}
		return comparisons;
	},
};

/** Accepted deliveries a second. All executions have ended before the next trigger's turn. */
async function contest(
	{ n8n, urls }: Receivers,
	next: NextDelivery,
	{ connections, warmUp, count }: Load,
	{ quick }: Bench,
): Promise<Rounds<number>> {
	const send = async (url: string, amount: number) => {
		const perSecond = await sendDeliveries(url, next, amount, connections);
		await untilIdle(n8n);
		return perSecond;
	};
	await send(urls.ours, warmUp);
	await send(urls.empty, warmUp);
	const contestants = {
		ours: async () => await send(urls.ours, count),
		theirs: async () => await send(urls.empty, count),
	};
	return await inTurn(contestants, quick ? QUICK_ROUNDS : ROUNDS);
}

function compareSides(what: string, { ours, theirs }: Rounds<number>, atLeast: number): Comparison {
	const goal = { of: 'ratio', atLeast } as const;
	return compare({ what, unit: '/s', ours, against: 'empty trigger', theirs, goal });
}
