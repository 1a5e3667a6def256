import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects/dialect';
import { completeIdentity } from '../store/seed';
import type { Store } from '../store/store';
import { completeWebhook } from '../store/webhooks';
import type { AccountSummary, Sandbox } from '../types';

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
	| 'editAccount'
	| 'rotateKey'
>;

function requireFound<Found>(found: Found | undefined, what: string): Found {
	if (found === undefined) throw new Error(`There is no ${what}.`);
	return found;
}

/** What a test, or a person in the service's own pages, does to the state behind the API's back. */
export function stateControls(store: Store, dialect: Dialect): StateControls {
	/** Whose something is that was made without saying it: the owner's, or the named user's. */
	const belongings = (given: { ownerId?: string }) => {
		const owner = store.account('owner');
		const account = store.accounts.find(({ userId }) => userId === given.ownerId) ?? owner;
		return { ownerId: given.ownerId ?? owner.userId, workspaceId: account.workspaceId };
	};
	return {
		dumpState: () => store.dump(),
		replaceState: (state) => store.replace(state),
		webhooks: () => structuredClone(store.webhooks),
		addWebhook: (given) => {
			const webhook = completeWebhook({ ...belongings(given), ...given });
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
			const identity = completeIdentity({ id: randomUUID(), ...belongings(given), ...given });
			store.setIdentities([...store.identities, identity]);
			return structuredClone(identity);
		},
		editIdentity: (id, changes) => {
			const identity = requireFound(store.identity(id), `identity ${id}`);
			const changed = { ...identity, ...changes, id };
			store.setIdentities(store.identities.map((one) => (one.id === id ? changed : one)));
			return structuredClone(changed);
		},
		removeIdentity: (id) => {
			requireFound(store.identity(id), `identity ${id}`);
			store.removeIdentity(id, dialect);
		},
		editAccount: (name, changes) => {
			const account = Object.assign(store.account(name), changes, { name });
			return structuredClone(account);
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
	const { userId, email, workspaceId, apiKey } = store.account(name);
	const identities = store.identities
		.filter(({ ownerId }) => ownerId === userId)
		.map(({ id, kind, value, status }) => ({ id, kind, value, status }));
	return { userId, email, workspaceId, apiKey, identities };
}
