import { createHash, randomUUID } from 'node:crypto';
import type { Dialect } from './dialects';
import type {
	SandboxState,
	StoredAccount,
	StoredIdentity,
	StoredMessage,
	StoredWebhook,
} from './types';

/** The same UUID for the same name, so that a restarted sandbox knows the IDs of the one before. */
export function namedUuid(name: string): string {
	const digest = createHash('sha256').update(`sandbox:${name}`).digest('hex');
	return [
		digest.slice(0, 8),
		digest.slice(8, 12),
		`5${digest.slice(13, 16)}`,
		`a${digest.slice(17, 20)}`,
		digest.slice(20, 32),
	].join('-');
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
	return uuidShape.test(text);
}

/** A short public identifier. */
export function publicId(id: string): string {
	return id.replace(/-/g, '').slice(0, 10);
}

type Reader = Pick<StoredAccount, 'userId' | 'workspaceId'>;

/**
 * Whether a user may read an identity's mail: its owner, its members, and everybody in the workspace where it is
 * shared; each only while they belong to that workspace.
 */
export function mayRead({ userId, workspaceId }: Reader, identity: StoredIdentity): boolean {
	if (workspaceId !== identity.workspaceId) return false;
	const { ownerId, sharedWithWorkspace, members } = identity;
	return sharedWithWorkspace || ownerId === userId || members.includes(userId);
}

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

const keyOf = (mailboxId: string, messageId: string) => `${mailboxId} ${messageId}`;

/** Received messages by ID. The oldest go when there are too many or they hold too much, so that a long load test ends. */
export class MessageStore {
	private readonly messages = new Map<string, StoredMessage>();
	private readonly keptIn = new Set<string>();
	private characters = 0;

	/**
	 * @param limit how many messages
	 * @param characterLimit how many characters of raw email in all
	 */
	constructor(
		private readonly limit: number,
		private readonly characterLimit: number,
	) {}

	add(message: StoredMessage): void {
		const { id: added, mailboxId, messageId } = message.fields;
		this.messages.set(added, message);
		if (messageId !== null) this.keptIn.add(keyOf(mailboxId, messageId));
		this.characters += message.rawEmail.length;
		for (const [id, oldest] of this.messages) {
			const isFull = this.messages.size > this.limit || this.characters > this.characterLimit;
			if (!isFull || oldest === message) break;
			this.messages.delete(id);
			const { mailboxId, messageId } = oldest.fields;
			if (messageId !== null) this.keptIn.delete(keyOf(mailboxId, messageId));
			this.characters -= oldest.rawEmail.length;
		}
	}

	/** Whether a mailbox holds an email with this Message-ID. */
	isKept(mailboxId: string, messageId: string): boolean {
		return this.keptIn.has(keyOf(mailboxId, messageId));
	}

	find(id: string): StoredMessage | undefined {
		return this.messages.get(id);
	}

	all(): StoredMessage[] {
		return [...this.messages.values()];
	}

	replace(messages: StoredMessage[]): void {
		this.messages.clear();
		this.keptIn.clear();
		this.characters = 0;
		messages.forEach((message) => this.add(message));
	}
}

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
