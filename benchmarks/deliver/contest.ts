import { deliverMany, type Throughput } from '../measure/deliverMany';
import { inTurn } from '../measure/inTurn';
import { untilIdle } from '../n8n/idle';
import { CONTESTANTS, type Contestant, type Receivers } from './receivers';

/** How hard n8n is worked. */
export interface Load {
	/** Deliveries of one measurement. */
	count: number;
	connections: number;
	rounds: number;
}

export type DeliveryResults = Record<Contestant, Throughput[]>;

/** Delivers to the three workflows in turn; executions have ended before the next one's turn. */
export async function deliveryContest(
	{ n8n, receivers }: Receivers,
	nextBody: () => Buffer,
	{ count, connections, rounds }: Load,
): Promise<DeliveryResults> {
	const contestant = (name: Contestant, amount: number) => async () => {
		const throughput = await deliverMany(receivers[name].url, nextBody, {
			count: amount,
			connections,
		});
		await untilIdle(n8n);
		return throughput;
	};
	const contest = (amount: number) =>
		Object.fromEntries(CONTESTANTS.map((name) => [name, contestant(name, amount)]));
	// Everything is compiled and cached before anything counts.
	await inTurn(contest(Math.ceil(count / 2)), 1);
	return (await inTurn(contest(count), rounds)) as DeliveryResults;
}
