import { randomUUID } from 'node:crypto';
import type { Dialect } from './dialects';
import type { StoredMessage } from './message';
import type { SandboxState, StoredAccount, StoredIdentity, StoredWebhook } from './types';

/**
 * Whether a user may read an identity's mail: its owner, and all users of the workspace where it is shared; each only
 * while they belong to that workspace.
 */
export function mayRead({ userId, workspaceId }: StoredAccount, identity: StoredIdentity): boolean {
	if (workspaceId !== identity.workspaceId) return false;
	return identity.sharedWithWorkspace || identity.ownerId === userId;
}

/** `name+tag@domain` is delivered as `name@domain` (RFC 5233). */
const untagged = (address: string): string => address.replace(/(?<=.)\+.*(?=@[^@]*$)/, '');

/** The service's data. Lists keep the order of creation. */
export class Store {
	accounts: StoredAccount[] = [];
	identities: StoredIdentity[] = [];
	messages: StoredMessage[] = [];
	webhooks: StoredWebhook[] = [];

	constructor(state: SandboxState) {
		this.replace(state);
	}

	account(name: string): StoredAccount {
		return found(
			this.accounts.find((account) => account.name === name),
			`account "${name}"`,
		);
	}

	identity(id: string): StoredIdentity | undefined {
		return this.identities.find((identity) => identity.id === id);
	}

	message(id: string): StoredMessage | undefined {
		return this.messages.find(({ fields }) => fields.id === id);
	}

	webhook(id: string): StoredWebhook | undefined {
		return this.webhooks.find((webhook) => webhook.id === id);
	}

	newWebhookId({ shortWebhookIds }: Dialect): string {
		if (!shortWebhookIds) return randomUUID();
		let number = 1;
		while (this.webhook(String(number))) number++;
		return String(number);
	}

	/** Replaces the one with the same ID, in its place, or adds it. */
	putWebhook(webhook: StoredWebhook): StoredWebhook {
		const index = this.webhooks.findIndex(({ id }) => id === webhook.id);
		this.webhooks.splice(index < 0 ? this.webhooks.length : index, 1, webhook);
		return webhook;
	}

	removeWebhook(id: string): void {
		this.webhooks = this.webhooks.filter((webhook) => webhook.id !== id);
	}

	/** The identity that receives mail for an address: itself, without its plus tag, else its domain. */
	recipient(address: string, { domainsReceive }: Dialect): StoredIdentity | undefined {
		const lowered = address.toLowerCase();
		const named = (value: string) =>
			this.identities.find((identity) => identity.value.toLowerCase() === value);
		const exact = named(lowered) ?? named(untagged(lowered));
		if (exact?.kind === 'email') return exact;
		const domain = named(lowered.slice(lowered.lastIndexOf('@') + 1));
		return domainsReceive && domain?.incomingDomain ? domain : undefined;
	}

	/** Deletes an identity and, where the dialect does that, the restriction of the subscriptions to it. */
	removeIdentity(removed: string, { keepsRestriction }: Dialect): void {
		this.identities = this.identities.filter(({ id }) => id !== removed);
		if (keepsRestriction) return;
		this.webhooks = this.webhooks.map((webhook) =>
			webhook.identityId === removed ? { ...webhook, identityId: null } : webhook,
		);
	}

	dump(): SandboxState {
		const { accounts, identities, webhooks, messages } = this;
		return structuredClone({ accounts, identities, webhooks, messages });
	}

	replace(state: Partial<SandboxState>): void {
		Object.assign(this, structuredClone(state));
	}
}

export function found<Found>(value: Found | undefined, what: string): Found {
	if (value === undefined) throw new Error(`There is no ${what}.`);
	return value;
}
