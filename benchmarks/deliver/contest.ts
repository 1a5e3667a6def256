import { until, type N8n } from '../../test/e2e/driver';
import { inTurn } from '../measure';
import { deliverMany } from './deliverMany';
import type { Contestant, Receivers } from './receivers';

const UNFINISHED = encodeURIComponent(JSON.stringify({ status: ['new', 'running', 'waiting'] }));

export interface Load {
	/** Deliveries of one measurement. */
	count: number;
	connections: number;
	rounds: number;
	/** Deliveries to each before anything counts. */
	warmUp: number;
}

/** Accepted deliveries per second of each measurement. */
export type DeliveryResults = Record<Contestant, number[]>;

/** Delivers to the workflows in turn; executions have ended before the next one's turn. */
export async function deliveryContest(
	{ n8n, receivers }: Receivers,
	names: readonly Contestant[],
	nextBody: () => Buffer,
	{ count, connections, rounds, warmUp }: Load,
): Promise<DeliveryResults> {
	const contestant = (name: Contestant, amount: number) => async () => {
		const load = { count: amount, connections };
		const perSecond = await deliverMany(receivers[name].url, nextBody, load);
		await untilIdle(n8n);
		return perSecond;
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
