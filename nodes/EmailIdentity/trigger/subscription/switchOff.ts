import { withinDeadline, type HookRequest } from '../state/hookRequest';
import type { SubscriptionMemory } from '../state/memory';
import { paused } from '../state/subscriptionState';
import { planInactive, type Action } from '../webhooks/plan';
import { isGone, openWebhooks, type OwnWebhooks } from './ownWebhooks';
import { logFormerAccount, type Outcome } from './reconcile';

/**
 * Deletes the subscription of a node for test events; pauses one for production, or deletes it if so chosen.
 *
 * @param delayMs for all requests
 * @param usedUntil see `Target`
 * @throws what made it fail
 */
export async function removeOrPause(
	request: HookRequest,
	memory: SubscriptionMemory,
	delayMs: number,
	usedUntil?: number,
): Promise<void> {
	await withinDeadline(request, memory.deadline(delayMs), async (limited) => {
		const { endpoint, options } = limited;
		const record = memory.states.at(endpoint);
		// A check stores nothing, so the memory may know more.
		const stored = record.state.stored ?? limited.stored;
		const webhooks = await openWebhooks(limited, endpoint, memory, stored);
		const { target } = webhooks;
		if (usedUntil !== undefined) target.usedUntil = usedUntil;

		const isDeleted = endpoint.listening !== 'production' || options.onDeactivation === 'delete';
		const outcome = await switchOff(webhooks, isDeleted ? 'absent' : 'paused');

		record.state = paused(record.state, isDeleted ? [] : outcome.snapshot.unlisted);
		await logFormerAccount(limited, webhooks, outcome);
		if (target.stored && !target.stored.retired) limited.store({ ...target.stored, retired: true });
	});
}

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
