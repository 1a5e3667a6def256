import { randomUUID } from 'node:crypto';
import type { StoredWebhook } from '../types';

type GivenWebhook = Partial<StoredWebhook> & Pick<StoredWebhook, 'url' | 'ownerId'>;

/** Fills in what a new subscription was given without. */
export function completeWebhook(given: GivenWebhook): StoredWebhook {
	const now = new Date().toISOString();
	return {
		id: given.id ?? randomUUID(),
		ownerId: given.ownerId,
		identityId: given.identityId ?? null,
		url: given.url,
		description: given.description ?? null,
		events: given.events ?? ['message.received'],
		enabled: given.enabled ?? true,
		metaData: given.metaData ?? null,
		workspaceId: given.workspaceId ?? null,
		createdAt: given.createdAt ?? now,
		updatedAt: given.updatedAt ?? now,
	};
}
