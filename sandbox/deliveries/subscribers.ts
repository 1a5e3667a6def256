import type { Dialect } from '../dialects/dialect';
import { mayRead } from '../store/readers';
import type { Store } from '../store/store';
import type { StoredIdentity, StoredWebhook } from '../types';

type MayHear = (webhook: StoredWebhook, identity: StoredIdentity, store: Store) => boolean;

/** Whose subscriptions hear of an identity's mail. */
const listeners: Record<Dialect['deliversTo'], MayHear> = {
	owner: ({ ownerId }, identity) => ownerId === identity.ownerId,
	everybody: () => true,
	readers: ({ ownerId, workspaceId }, identity, { accounts }) =>
		workspaceId === identity.workspaceId &&
		accounts.some((account) => account.userId === ownerId && mayRead(account, identity)),
};

/** The subscriptions that hear of a message to this identity. */
export function subscribersOf(
	identity: StoredIdentity,
	store: Store,
	{ deliversTo }: Dialect,
): StoredWebhook[] {
	return store.webhooks.filter(
		(webhook) =>
			webhook.enabled &&
			webhook.events.includes('message.received') &&
			(webhook.identityId === null || webhook.identityId === identity.id) &&
			listeners[deliversTo](webhook, identity, store),
	);
}
