import { deliverMany, type Throughput } from '../measure/deliverMany';
import { inTurn } from '../measure/inTurn';
import { untilIdle } from '../n8n/idle';
import { processorTime } from '../n8n/processorTime';
import type { Contestant, Receiver, Receivers } from './receivers';

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

/** Delivers to the workflows in turn; executions have ended before the next one's turn. */
export async function deliveryContest<Name extends string>(
	{ n8n, receivers }: Pick<Receivers, 'n8n'> & { receivers: Record<Name, Receiver> },
	nextBody: () => Buffer,
	{ count, connections, rounds, warmUp }: Load,
): Promise<Record<Name, Delivered[]>> {
	const contestant = (name: Name, amount: number) => async (): Promise<Delivered> => {
		const load = { count: amount, connections };
		const before = processorTime(n8n.processId);
		const throughput = await deliverMany(receivers[name].url, nextBody, load);
		await untilIdle(n8n);
		const after = processorTime(n8n.processId);
		const isKnown = before !== undefined && after !== undefined;
		return { ...throughput, processor: isKnown ? (after - before) / amount : undefined };
	};
	const names = Object.keys(receivers) as Name[];
	const contest = (amount: number) =>
		Object.fromEntries(names.map((name) => [name, contestant(name, amount)]));
	await inTurn(contest(warmUp), 1);
	return (await inTurn(contest(count), rounds)) as Record<Name, Delivered[]>;
}
