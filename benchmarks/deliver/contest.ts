import { deliverMany, type Throughput } from '../measure/deliverMany';
import { inTurn } from '../measure/inTurn';
import { untilIdle } from '../n8n/idle';
import { processorTime } from '../n8n/processorTime';
import { CONTESTANTS, type Contestant, type Receivers } from './receivers';

/** How hard n8n is worked. */
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

/** Delivers to the three workflows in turn; executions have ended before the next one's turn. */
export async function deliveryContest(
	{ n8n, receivers }: Receivers,
	nextBody: () => Buffer,
	{ count, connections, rounds, warmUp }: Load,
): Promise<DeliveryResults> {
	const contestant = (name: Contestant, amount: number) => async (): Promise<Delivered> => {
		const load = { count: amount, connections };
		const before = processorTime(n8n.processId);
		const throughput = await deliverMany(receivers[name].url, nextBody, load);
		await untilIdle(n8n);
		const after = processorTime(n8n.processId);
		const isKnown = before !== undefined && after !== undefined;
		return { ...throughput, processor: isKnown ? (after - before) / amount : undefined };
	};
	const contest = (amount: number) =>
		Object.fromEntries(CONTESTANTS.map((name) => [name, contestant(name, amount)]));
	await inTurn(contest(warmUp), 1);
	return (await inTurn(contest(count), rounds)) as DeliveryResults;
}
