import { DeliveryMemory } from './deliveryMemory';

/** A memory of 5,000 messages takes about half a megabyte; one that was dropped is read back from the static data. */
const MOST_MEMORIES = 50;

/** Webhook → memory, the least recently used first. */
const memories = new Map<string, DeliveryMemory>();

/**
 * What this process knows about the messages of one webhook.
 *
 * @param webhook names the webhook among all those of this n8n
 */
export function memoryOf(webhook: string): DeliveryMemory {
	const memory = memories.get(webhook) ?? new DeliveryMemory();
	memories.delete(webhook);
	memories.set(webhook, memory);
	for (const [name, candidate] of memories) {
		if (memories.size <= MOST_MEMORIES) break;
		if (candidate.isIdle && candidate !== memory) memories.delete(name);
	}
	return memory;
}
