/** The user behind an API key. */
export interface StoredAccount {
	name: string;
	userId: string;
	email: string;
	/** Where everything lives that belongs to the account. Put both into one to let them share identities. */
	workspaceId: string;
	apiKey: string;
	/** What the key may do: `emails:send`, `emails:receive`; none is no restriction (where keys are restricted). */
	scopes: string[];
	/** ISO 8601, or `null` for a key that stays good. */
	expiresAt: string | null;
	isRevoked: boolean;
}

/** An identity as the sandbox keeps it; times are ISO 8601 with up to six fractional digits. */
export interface StoredIdentity {
	id: string;
	ownerId: string;
	kind: 'email' | 'domain';
	publicId: string;
	value: string;
	displayName: string | null;
	incomingDomain: boolean;
	domainIdentityId: string | null;
	dnsRecords: DnsRecord[] | null;
	meta: Record<string, unknown> | null;
	providerId: string | null;
	smtpAccountId: string | null;
	status: string;
	workspaceId: string;
	sharedWithWorkspace: boolean;
	/** Users beside the owner who may read its mail. */
	members: string[];
	createdAt: string;
	updatedAt: string;
}

export interface DnsRecord {
	type: string;
	name: string;
	value: string;
	/** Seconds. */
	ttl?: number;
	priority?: number;
	note?: string;
}

/** A subscription as the sandbox keeps it. */
export interface StoredWebhook {
	id: string;
	ownerId: string;
	identityId: string | null;
	url: string;
	description: string | null;
	events: string[];
	enabled: boolean;
	metaData: Record<string, unknown> | null;
	workspaceId: string | null;
	createdAt: string;
	updatedAt: string;
}

/** The fields of `data.message`, before the dialect names them. `null` is what is not there. */
export interface MessageFields {
	id: string;
	publicId: string;
	messageId: string | null;
	inReplyTo: string | null;
	references: string[] | null;
	threadId: string;
	mailboxId: string;
	ownerId: string;
	workspaceId: string;
	/** The address that it was delivered to, where that is known. */
	deliveredTo: string | null;
	subject: string | null;
	snippet: string;
	text: string | null;
	textAsHtml: string | null;
	html: string;
	from: MessageAddresses | null;
	to: MessageAddresses | null;
	cc: MessageAddresses | null;
	bcc: MessageAddresses | null;
	replyTo: MessageAddresses | null;
	date: string | null;
	sizeBytes: number;
	hasAttachments: boolean;
	headersJson: Record<string, unknown>;
	state: string;
	priority: string | null;
	seen: boolean;
	answered: boolean;
	flagged: boolean;
	draft: boolean;
	rawStorageKey: string;
	/** Where an account keeps it: `imap.mailboxPath` or `gmail.labelIds`. */
	metaData: Record<string, unknown> | null;
	createdAt: string;
	updatedAt: string;
}

export interface MessageAddress {
	name: string;
	address?: string;
}

export interface MessageAddresses {
	text: string;
	html: string;
	value: MessageAddress[];
}

export interface MessageAttachment {
	id: string;
	messageId: string;
	filename: string | null;
	contentType: string;
	sizeBytes: number;
	cid: string | null;
	isInline: boolean;
}

/** One received email: what is delivered, and the identity that received it. */
export interface StoredMessage {
	identityId: string;
	fields: MessageFields;
	attachments: MessageAttachment[];
	rawEmail: string;
}

/** Everything that the service remembers: plain JSON, can be dumped and put back. */
export interface SandboxState {
	accounts: StoredAccount[];
	identities: StoredIdentity[];
	webhooks: StoredWebhook[];
	messages: StoredMessage[];
}
