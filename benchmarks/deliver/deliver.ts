import { say } from '../../scripts/setup/progress.mjs';
import type { N8n } from '../../test/support/n8n';
import { compare } from '../measure';
import type { Benchmark, Comparison } from '../types';
import { deliveryBodies } from './bodies';
import { deliveryContest, type Load } from './contest';
import { startReceivers, type Receivers } from './receivers';

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

/** Small emails: what the trigger adds to the cost of n8n. The running service delivers one at a time. */
export const deliver4k: Benchmark = {
	name: 'deliver-4k',
	title: 'Trigger → No Operation in a real n8n, emails of 4 KB, executions saved',
	run: async (bench) =>
		await inEachSetting(async (running, label) => {
			const body = await deliveryBodies({ size: 4 * KILOBYTE, attachments: 0 });
			const contest = async (way: string, atLeast: number, load: Load) => {
				const against = 'empty trigger';
				const results = await deliveryContest(running, ['ours', against], body, load, bench);
				return accepted(`${way}, ${label}`, results.ours, against, results[against], atLeast);
			};
			const one = { connections: 1, warmUp: WARM_UP, rounds: 24, count: 30 };
			const ten = { connections: 10, warmUp: 40, rounds: 24, count: 60 };
			return [await contest('one at a time', 0.95, one), await contest('10 connections', 0.8, ten)];
		}),
};

/** Large emails: ours parses them and stores the files, the others pass everything on as text. */
export const deliver1m: Benchmark = {
	name: 'deliver-1m',
	title: 'The same with emails of 1 MB and two attachments, simplified; the others parse nothing',
	run: async (bench) =>
		await inEachSetting(async (running, label) => {
			const body = await deliveryBodies({ size: MEGABYTE, attachments: 2 });
			const load = { connections: 10, warmUp: 10, rounds: 12, count: 20 };
			const others = ['empty trigger', 'Webhook node'] as const;
			const results = await deliveryContest(running, ['ours', ...others], body, load, bench);
			return [
				...others.map((other) => accepted(label, results.ours, other, results[other], 0.8)),
				await stored(running, label),
			];
		}),
};

async function inEachSetting(
	run: (running: Receivers, label: string) => Promise<Comparison[]>,
): Promise<Comparison[]> {
	const comparisons: Comparison[] = [];
	for (const { label, environment } of SETTINGS) {
		say(`  ${label}`);
		const running = await startReceivers(environment);
		try {
			comparisons.push(...(await run(running, label)));
		} finally {
			await running.stop();
		}
	}
	return comparisons;
}

const accepted = (
	label: string,
	ours: number[],
	against: string,
	theirs: number[],
	atLeast: number,
): Comparison =>
	compare({
		what: `accepted, ${label}`,
		unit: '/s',
		ours,
		against,
		theirs,
		goal: { of: 'ratio', atLeast },
	});

async function stored({ n8n, receivers }: Receivers, label: string): Promise<Comparison> {
	const against = 'Webhook node';
	return compare({
		what: `stored execution data, ${label}`,
		unit: 'KB',
		against,
		ours: [await storedKilobytes(n8n, receivers.ours.workflowId)],
		theirs: [await storedKilobytes(n8n, receivers[against].workflowId)],
		goal: { of: 'ratio', atMost: 0.1 },
	});
}

/** In the database, of the newest execution; files are elsewhere. */
async function storedKilobytes(n8n: N8n, workflowId: string): Promise<number> {
	const [newest] = await n8n.executions.list(workflowId);
	if (newest === undefined) throw new Error(`Workflow ${workflowId} has no execution.`);
	const { data } = await n8n.session.call<{ data: string }>('GET', `/rest/executions/${newest.id}`);
	return data.length / KILOBYTE;
}
