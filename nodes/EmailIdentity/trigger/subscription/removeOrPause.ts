import { paused } from '../state/subscriptionState';
import { withinDeadline } from '../hooks/deadline';
import type { HookRequest } from '../hooks/hookRequest';
import type { SubscriptionMemory } from '../state/memory';
import { openWebhooks } from './ownWebhooks';
import { switchOff } from './reconcile';
import { nameElsewhere, nameFormerAccount } from './strandedWebhooks';

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
		nameElsewhere(limited, webhooks, outcome.snapshot);
		await nameFormerAccount(limited, webhooks, outcome);
		if (target.stored && !target.stored.retired) limited.store({ ...target.stored, retired: true });
	});
}
