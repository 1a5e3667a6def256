import type { Dialect } from '../dialects/dialect';
import type { SandboxState, StoredAccount, StoredIdentity, StoredWebhook } from '../types';
import type { MessageStore } from './messages';

/** `name+tag@domain` is delivered as `name@domain` (RFC 5233). */
const untagged = (address: string): string => {
	const at = address.lastIndexOf('@');
	const plus = address.indexOf('+');
	return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
};

/** What the service remembers. Lists keep the order in which things were made. */
export class Store {
	accounts: StoredAccount[];
	private identityList: StoredIdentity[];
	private identityById = new Map<string, StoredIdentity>();
	private identityByValue = new Map<string, StoredIdentity>();
	private webhookById = new Map<string, StoredWebhook>();

	constructor(
		state: SandboxState,
		readonly messages: MessageStore,
	) {
		const { accounts, identities, webhooks } = structuredClone(state);
		this.accounts = accounts;
		this.identityList = identities;
		this.setIdentities(identities);
		this.setWebhooks(webhooks);
		messages.replace(state.messages);
	}

	get identities(): readonly StoredIdentity[] {
		return this.identityList;
	}

	setIdentities(identities: StoredIdentity[]): void {
		this.identityList = identities;
		this.identityById = new Map(identities.map((identity) => [identity.id, identity]));
		this.identityByValue = new Map(
			identities.map((identity) => [identity.value.toLowerCase(), identity]),
		);
	}

	get webhooks(): StoredWebhook[] {
		return [...this.webhookById.values()];
	}

	setWebhooks(webhooks: StoredWebhook[]): void {
		this.webhookById = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
	}

	accountOfKey(apiKey: string): StoredAccount | undefined {
		return this.accounts.find((account) => account.apiKey === apiKey);
	}

	account(name: string): StoredAccount {
		const found = this.accounts.find((account) => account.name === name);
		if (!found) throw new Error(`There is no account named "${name}".`);
		return found;
	}

	identity(id: string): StoredIdentity | undefined {
		return this.identityById.get(id);
	}

	webhook(id: string): StoredWebhook | undefined {
		return this.webhookById.get(id);
	}

	putWebhook(webhook: StoredWebhook): void {
		this.webhookById.set(webhook.id, webhook);
	}

	removeWebhook(id: string): boolean {
		return this.webhookById.delete(id);
	}

	/**
	 * The identity that receives mail for an address: the address itself, the one without its plus tag, else its
	 * domain if that takes mail.
	 */
	recipient(
		address: string,
		{ domainsReceive }: Pick<Dialect, 'domainsReceive'>,
	): StoredIdentity | undefined {
		const lowered = address.toLowerCase();
		const exact = this.identityByValue.get(lowered) ?? this.identityByValue.get(untagged(lowered));
		if (exact?.kind === 'email') return exact;
		if (!domainsReceive) return undefined;
		const domain = this.identityByValue.get(lowered.slice(lowered.lastIndexOf('@') + 1));
		return domain?.kind === 'domain' && domain.incomingDomain ? domain : undefined;
	}

	/** Deletes an identity, and with it what subscriptions to it are restricted to, where the dialect does that. */
	removeIdentity(
		id: string,
		{ restrictionOfDeleted }: Pick<Dialect, 'restrictionOfDeleted'>,
	): void {
		this.setIdentities(this.identityList.filter((identity) => identity.id !== id));
		if (restrictionOfDeleted === 'kept') return;
		for (const webhook of this.webhooks.filter(({ identityId }) => identityId === id)) {
			this.putWebhook({ ...webhook, identityId: null });
		}
	}

	/** A deep copy. */
	dump(): SandboxState {
		return structuredClone({
			accounts: this.accounts,
			identities: this.identityList,
			webhooks: this.webhooks,
			messages: this.messages.all(),
		});
	}

	/** Puts back what is given, leaves the rest. */
	replace(state: Partial<SandboxState>): void {
		const { accounts, identities, webhooks, messages } = structuredClone(state);
		if (accounts) this.accounts = accounts;
		if (identities) this.setIdentities(identities);
		if (webhooks) this.setWebhooks(webhooks);
		if (messages) this.messages.replace(messages);
	}
}
