import { planInactive, type Action } from '../webhooks/plan';
import { isGone, type OwnWebhooks } from './ownWebhooks';
import type { Outcome } from './reconcile';

/**
 * Pauses or deletes all subscriptions of a node. A failure does not keep it from the others; if the list cannot be read, the
 * known subscriptions are switched off that the service shows one by one.
 *
 * @throws the first failure, at the end
 */
export async function switchOff(
	webhooks: OwnWebhooks,
	state: 'absent' | 'paused',
): Promise<Outcome> {
	const done: Action[] = [];
	let failure: unknown;
	for (let round = 1; ; round++) {
		const snapshot = await webhooks.observe({ isPartEnough: true });
		failure ??= snapshot.failure;
		const actions = planInactive(snapshot.own, state);
		let isGoneMeanwhile = false;
		for (const action of actions) {
			try {
				await webhooks.carryOut(action);
				done.push(action);
			} catch (error) {
				// One that is listed again was not deleted meanwhile: the service does not find it by its ID.
				if (isGone(error) && round === 1) isGoneMeanwhile = true;
				else failure ??= error;
			}
		}
		if (failure !== undefined) throw failure;
		if (!isGoneMeanwhile) return { kept: undefined, snapshot, needed: actions, done };
	}
}
