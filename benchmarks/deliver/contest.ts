import { readFileSync } from 'node:fs';
import { until, type N8n } from '../../test/e2e/driver';
import { inTurn } from '../measure';
import { deliverMany, type Throughput } from './deliverMany';
import type { Contestant, Receivers } from './receivers';

const UNFINISHED = encodeURIComponent(JSON.stringify({ status: ['new', 'running', 'waiting'] }));

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

export interface Load {
	/** Deliveries of one measurement. */
	count: number;
	connections: number;
	rounds: number;
	/** Deliveries to each before anything counts. */
	warmUp: number;
}

/** One measurement of one contestant. */
export interface Delivered extends Throughput {
	/** Milliseconds of processor time for one delivery, its execution included; undefined where unknown. */
	processor: number | undefined;
}

export type DeliveryResults = Record<Contestant, Delivered[]>;

/** Delivers to the workflows in turn; executions have ended before the next one's turn. */
export async function deliveryContest(
	{ n8n, receivers }: Receivers,
	names: readonly Contestant[],
	nextBody: () => Buffer,
	{ count, connections, rounds, warmUp }: Load,
): Promise<DeliveryResults> {
	const contestant = (name: Contestant, amount: number) => async (): Promise<Delivered> => {
		const before = processorTime(n8n.processId);
		const load = { count: amount, connections };
		const throughput = await deliverMany(receivers[name].url, nextBody, load);
		await untilIdle(n8n);
		const after = processorTime(n8n.processId);
		const isKnown = before !== undefined && after !== undefined;
		return { ...throughput, processor: isKnown ? (after - before) / amount : undefined };
	};
	const contest = (amount: number) =>
		Object.fromEntries(names.map((name) => [name, contestant(name, amount)]));
	await inTurn(contest(warmUp), 1);
	return (await inTurn(contest(count), rounds)) as DeliveryResults;
}

/** No execution may slow down what is measured next. */
async function untilIdle(n8n: N8n): Promise<void> {
	await until(
		async () => {
			const { results } = await n8n.session.call<{ results: unknown[] }>(
				'GET',
				`/rest/executions?limit=1&filter=${UNFINISHED}`,
			);
			return results.length === 0;
		},
		{ describe: 'n8n has ended all executions', timeout: 180_000, interval: 100 },
	);
}

/** Milliseconds in which a process kept the processors busy so far; undefined where the system does not tell. */
function processorTime(processId: number | undefined): number | undefined {
	try {
		const status = readFileSync(`/proc/${processId}/stat`, 'utf8');
		// The program's name, in parentheses, may hold blanks.
		const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
	} catch {
		return undefined;
	}
}
