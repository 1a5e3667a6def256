import { randomUUID } from 'node:crypto';
import { completeIdentity } from '../store/seed';
import type { Store } from '../store/store';
import { completeWebhook } from '../store/webhooks';
import type { AccountSummary, Sandbox, StoredIdentity } from '../types';

type StateControls = Pick<
	Sandbox,
	| 'dumpState'
	| 'replaceState'
	| 'webhooks'
	| 'addWebhook'
	| 'editWebhook'
	| 'removeWebhook'
	| 'addIdentity'
	| 'editIdentity'
	| 'removeIdentity'
	| 'rotateKey'
>;

function requireFound<Found>(found: Found | undefined, what: string): Found {
	if (found === undefined) throw new Error(`There is no ${what}.`);
	return found;
}

/** What a test, or a person in the service's own pages, does to the state behind the API's back. */
export function stateControls(store: Store): StateControls {
	const ownerId = () => store.account('owner').userId;
	const replaceIdentity = (id: string, replacement: StoredIdentity[]) =>
		store.setIdentities(
			store.identities.flatMap((identity) => (identity.id === id ? replacement : [identity])),
		);

	return {
		dumpState: () => store.dump(),
		replaceState: (state) => store.replace(state),
		webhooks: () => structuredClone(store.webhooks),
		addWebhook: (given) => {
			const webhook = completeWebhook({ ...given, ownerId: given.ownerId ?? ownerId() });
			store.putWebhook(webhook);
			return structuredClone(webhook);
		},
		editWebhook: (id, changes) => {
			const webhook = requireFound(store.webhook(id), `webhook ${id}`);
			const updatedAt = new Date().toISOString();
			const changed = { ...webhook, updatedAt, ...changes, id };
			store.putWebhook(changed);
			return structuredClone(changed);
		},
		removeWebhook: (id) => {
			requireFound(store.removeWebhook(id) || undefined, `webhook ${id}`);
		},
		addIdentity: (given) => {
			const completed = { id: randomUUID(), ...given, ownerId: given.ownerId ?? ownerId() };
			const identity = completeIdentity(completed);
			store.setIdentities([...store.identities, identity]);
			return structuredClone(identity);
		},
		editIdentity: (id, changes) => {
			const identity = requireFound(store.identity(id), `identity ${id}`);
			const changed = { ...identity, ...changes, id };
			replaceIdentity(id, [changed]);
			return structuredClone(changed);
		},
		removeIdentity: (id) => {
			requireFound(store.identity(id), `identity ${id}`);
			replaceIdentity(id, []);
		},
		rotateKey: (name) => {
			const account = store.account(name);
			account.apiKey = `sandbox-${name}-${randomUUID()}`;
			return account.apiKey;
		},
	};
}

/** An account and its identities, as a test wants to name them. */
export function summarise(store: Store, name: 'owner' | 'other'): AccountSummary {
	const { userId, email, apiKey } = store.account(name);
	const identities = store.identities
		.filter(({ ownerId }) => ownerId === userId)
		.map(({ id, kind, value, status }) => ({ id, kind, value, status }));
	return { userId, email, apiKey, identities };
}
