import { say } from '../../scripts/setup/progress.mjs';
import type { N8n } from '../../test/e2e/driver';
import { compare } from '../measure';
import type { Bench, Benchmark, Comparison, Goal } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest, type DeliveryResults, type Load } from './contest';
import { startReceivers, type Contestant, type Receivers } from './receivers';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** By default n8n prepares a sandbox for expressions at each delivery, for every node but its own Webhook node. */
const SETTINGS: { label: string; environment: Record<string, string> }[] = [
	{ label: 'by default', environment: {} },
	{
		label: 'lazy expression engine',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	},
];

/** n8n's processor time for a delivery falls by a third until its first thousand: code is compiled. */
const WARM_UP = 600;

const ONE_AT_A_TIME: Goal = { of: 'ratio', atLeast: 0.95 };
const TEN_CONNECTIONS: Goal = { of: 'ratio', atLeast: 0.8 };
const A_TENTH: Goal = { of: 'ratio', atMost: 0.1 };

/** Small emails: what the trigger adds to the cost of n8n. The running service delivers one at a time. */
export const deliver4k: Benchmark = {
	name: 'deliver-4k',
	title: 'Trigger → No Operation in a real n8n, emails of 4 KB, executions saved',
	run: async (bench) =>
		await inEachSetting(bench, 'deliver-4k', async (running, label) => {
			const comparisons: Comparison[] = [];
			const ways: [string, Load, Goal][] = [
				[
					'one at a time',
					{ connections: 1, warmUp: WARM_UP, ...rounds(bench, 24, 30) },
					ONE_AT_A_TIME,
				],
				[
					'10 connections',
					{ connections: 10, warmUp: 40, ...rounds(bench, 24, 60) },
					TEN_CONNECTIONS,
				],
			];
			for (const [way, load, goal] of ways) {
				const body = await deliveryBodies({ size: 4 * KILOBYTE, attachments: 0 });
				const contestants = ['ours', 'empty trigger'] as const;
				const results = await deliveryContest(running, contestants, body, load);
				comparisons.push(judge(results, `${way}, ${label}`, 'empty trigger', goal));
			}
			return comparisons;
		}),
};

/** Large emails: ours parses them and stores the files, the others pass everything on as text. */
export const deliver1m: Benchmark = {
	name: 'deliver-1m',
	title: 'The same with emails of 1 MB and two attachments, simplified; the others parse nothing',
	run: async (bench) =>
		await inEachSetting(bench, 'deliver-1m', async (running, label) => {
			const body = await deliveryBodies({ size: MEGABYTE, attachments: 2 });
			const load = { connections: 10, warmUp: 10, ...rounds(bench, 12, 20) };
			const contestants = ['ours', 'empty trigger', 'Webhook node'] as const;
			const results = await deliveryContest(running, contestants, body, load);
			return [
				judge(results, label, 'empty trigger', TEN_CONNECTIONS),
				judge(results, label, 'Webhook node', TEN_CONNECTIONS),
				await stored(running, label),
			];
		}),
};

const rounds = ({ quick }: Bench, count: number, deliveries: number) => ({
	rounds: quick ? 3 : count,
	count: deliveries,
});

async function inEachSetting(
	bench: Bench,
	name: string,
	run: (running: Receivers, label: string) => Promise<Comparison[]>,
): Promise<Comparison[]> {
	const comparisons: Comparison[] = [];
	for (const { label, environment } of SETTINGS) {
		say(`  ${name}: ${label}`);
		const running = await startReceivers(bench.scratch, environment);
		try {
			comparisons.push(...(await run(running, label)));
		} finally {
			await running.stop();
		}
	}
	return comparisons;
}

function judge(
	results: DeliveryResults,
	label: string,
	against: Exclude<Contestant, 'ours'>,
	goal: Goal,
): Comparison {
	const theirs = results[against];
	return compare({
		what: `accepted, ${label}`,
		unit: '/s',
		ours: results.ours,
		against,
		theirs,
		goal,
	});
}

async function stored({ n8n, receivers }: Receivers, label: string): Promise<Comparison> {
	const against = 'Webhook node';
	const ours = await storedKilobytes(n8n, receivers.ours.workflowId);
	const theirs = await storedKilobytes(n8n, receivers[against].workflowId);
	const what = `stored execution data, ${label}`;
	return compare({ what, unit: 'KB', ours: [ours], against, theirs: [theirs], goal: A_TENTH });
}

/** In the database, of the newest execution; files are elsewhere. */
async function storedKilobytes(n8n: N8n, workflowId: string): Promise<number> {
	const [newest] = await n8n.executions.list(workflowId);
	if (newest === undefined) throw new Error(`Workflow ${workflowId} has no execution.`);
	const { data } = await n8n.session.call<{ data: string }>('GET', `/rest/executions/${newest.id}`);
	return data.length / KILOBYTE;
}
