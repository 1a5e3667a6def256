import { SUBSCRIPTION_MS } from '../times';
import type { HookRequest } from '../state/hookRequest';
import type { SubscriptionMemory } from '../state/memory';
import type { LeftoverTest } from '../state/nodeRecord';
import { removeOrPause } from './switchOff';

/** Keeps a webhook for test events that could not be deleted, until it is tried again: after one, two, four minutes and so on. */
export function postponeDeletion(
	request: HookRequest,
	failures: number,
	{ now, wallClock }: Pick<SubscriptionMemory, 'now' | 'wallClock'>,
	usedUntil = wallClock() + SUBSCRIPTION_MS.listening,
): LeftoverTest {
	const { firstDelay, maxDelay } = SUBSCRIPTION_MS.leftoverTest;
	const delay = Math.min(firstDelay * 2 ** (failures - 1), maxDelay);
	// Half a minute early, because n8n's scheduler is not exact.
	return { request, failures, usedUntil, dueAt: now() + delay - SUBSCRIPTION_MS.tick / 2 };
}

/** The checks of all nodes call this every minute, because the node itself may not be published. */
export async function deleteLeftoverTests(memory: SubscriptionMemory): Promise<void> {
	for (const { node } of memory.states.all()) {
		const { leftoverTest } = node;
		if (!leftoverTest || memory.now() < leftoverTest.dueAt) continue;
		const { request, failures, usedUntil } = leftoverTest;
		// Other nodes call this at the same time.
		const next = postponeDeletion(request, failures + 1, memory, usedUntil);
		node.leftoverTest = next;
		await memory.states.inTurn(request.endpoint, async () => {
			// Otherwise n8n listens again.
			if (node.leftoverTest !== next) return;
			try {
				await removeOrPause(request, memory, SUBSCRIPTION_MS.other, usedUntil);
				node.leftoverTest = undefined;
				memory.states.endIfOver(request.endpoint);
			} catch {
				// The next attempt follows.
			}
		});
	}
}
