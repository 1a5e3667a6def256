import type { Dialect, DialectName } from './dialects';

/** What is answered instead of, or done to, the right answer. */
export type FaultAnswer =
	/** Another status; `issues` become the error body's field list, `body` replaces the whole body. */
	| {
			type: 'status';
			status: number;
			headers?: Record<string, string>;
			body?: unknown;
			issues?: Issue[];
			message?: string;
	  }
	/** The right JSON, cut in the middle, with a matching content length. */
	| { type: 'truncatedJson' }
	/** The right head, then the connection ends in the middle of the body. */
	| { type: 'cutBody' }
	/** A web page with status 200. */
	| { type: 'html' }
	/** The right body under another content type; `null` sends none. */
	| { type: 'contentType'; contentType: string | null }
	| { type: 'redirect'; location: string; status?: number }
	/** The connection is reset without an answer. */
	| { type: 'drop' }
	/** The right body, a few bytes at a time. */
	| { type: 'trickle'; chunkBytes?: number; intervalMilliseconds?: number };

/** A rule: which requests it is about, and what happens to them. */
export interface FaultRule {
	/** Given by the sandbox when left out. */
	id?: string;
	/** Any method when left out. */
	method?: string;
	/** Relative to the base URL: `/webhooks`, `/webhooks/*` (one segment), `/**` (anything). Any path when left out. */
	path?: string;
	/** How many matching requests pass untouched first. */
	skip?: number;
	/** How many requests it then applies to; no end when left out. */
	count?: number;
	/** Milliseconds before the service acts. */
	delayBefore?: number;
	/** Milliseconds between acting and answering. */
	delayAfter?: number;
	/**
	 * Whether the service does what was asked. Left out: no for `status`, `html`, `redirect` and `drop`,
	 * yes for those that spoil the right answer.
	 */
	acts?: boolean;
	/** Left out, the rule only delays. */
	answer?: FaultAnswer;
}

export interface Issue {
	path: string;
	message: string;
	code: string;
}

export interface RequestRecord {
	/** 1, 2, 3 … in the order of arrival. */
	number: number;
	/** Milliseconds since 1970. */
	time: number;
	method: string;
	/** Relative to the base URL, without the query. */
	path: string;
	query: string;
	headers: Record<string, string | string[] | undefined>;
	/** As sent; empty without a body. */
	body: string;
	/** `null` while it is under way, 0 when the connection ended without an answer. */
	status: number | null;
	/** The rule that applied. */
	faultId: string | null;
}

export interface DeliveryRecord {
	id: string;
	time: number;
	/** `null` for a delivery to a URL that no subscription names. */
	webhookId: string | null;
	/** The stored message's ID; `null` for an arbitrary body. */
	messageId: string | null;
	url: string;
	/** `null` when no answer came. */
	status: number | null;
	responseBody: string;
	/** Why no answer came. */
	error: string | null;
	milliseconds: number;
}

/** Which mailbox an email turns up in, and what is said of it there. */
export interface MailOptions {
	/** The envelope's recipients. */
	to: string | string[];
	/** Whether subscriptions hear of it; yes when left out. */
	deliver?: boolean;
	/** In an account read by IMAP: the folder, such as `Sent`. */
	folder?: string;
	/** With `folder`: what IMAP says of it there, such as `\\Draft` or `$Junk`. */
	flags?: string[];
	/** In an account read by JMAP, which tells no folder. */
	jmap?: boolean;
	/** In a Gmail account: its labels. It becomes one message for each. */
	labels?: string[];
	/** Said instead of what is read from the email, such as `draft`, `state`, `ownerId`, `deliveredTo`. */
	fields?: Partial<MessageFields>;
}

/** What to deliver by hand: a stored message, or any body. */
export interface DeliveryOrder {
	messageId?: string;
	/** Sent instead of the event, byte for byte. */
	body?: string | Uint8Array;
	/** The dialect's when left out; `null` sends none. */
	contentType?: string | null;
	headers?: Record<string, string>;
	method?: string;
	/** Where to; left out: the given webhook, else each enabled subscription that the message matches. */
	url?: string;
	webhookId?: string;
}

export interface Limits {
	/** Requests in flight above this are answered 429; `null` is no limit. */
	concurrency: number | null;
	/** The `Retry-After` header of those answers; `null` sends none. */
	retryAfter: string | null;
	/** Milliseconds that every answer takes. */
	latency: number;
}

export interface Paging {
	/** Entries on a page of a list; `null` sends the whole list. */
	size: number | null;
	/** Sent as the next page's address instead of the right one (for loops and other origins). */
	nextLink?: string;
}

export interface InFlight {
	now: number;
	max: number;
}

export interface AccountSummary {
	userId: string;
	email: string;
	workspaceId: string;
	apiKey: string;
	identities: Array<{ id: string; kind: string; value: string; status: string }>;
}

export interface ReceivedMail {
	/** One for each identity that received it, and each label; none where the service drops it. */
	messages: StoredMessage[];
	/** Resolves once every delivery was answered or failed; never rejects. */
	deliveries: Promise<DeliveryRecord[]>;
}

export interface SandboxOptions {
	/** Default `observed`. */
	dialect?: DialectName | Dialect;
	/** Free ports are chosen for those left out. */
	httpPort?: number;
	smtpPort?: number;
	controlPort?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Default `/api`. */
	pathPrefix?: string;
	/** What a sandbox before this one remembered. */
	state?: SandboxState;
	/** That many more addresses for the owner. */
	extraIdentities?: number;
	/** How many requests, and how many deliveries, are remembered; 0 switches it off. Default 10,000. */
	recordings?: number;
	/** How many messages are remembered, the oldest goes first. Default 10,000. */
	messageLimit?: number;
	/** The same in characters of raw email. Default 256 Mi. */
	messageCharacterLimit?: number;
	/** Milliseconds after which a delivery is given up, where the dialect does not end it sooner. Default 120,000. */
	deliveryTimeout?: number;
	/** Milliseconds for which deliveries are collected, in dialects that queue them. Default 5; services take about 1,000. */
	collectionDelay?: number;
}

/** The stand-in for the service, running. Methods are also there over HTTP at `controlUrl` (see README.md). */
export interface Sandbox {
	/** Ends in the path prefix: `http://127.0.0.1:40001/api`. */
	readonly baseUrl: string;
	readonly controlUrl: string;
	readonly httpPort: number;
	readonly smtpPort: number;
	readonly controlPort: number;
	/** The two accounts as they are now. */
	readonly accounts: { owner: AccountSummary; other: AccountSummary };

	/** Closes everything at once, open connections too. */
	stop(): Promise<void>;
	/** The service is gone (HTTP and SMTP refuse connections); control stays. */
	goDown(): Promise<void>;
	/** The service dies: as `goDown`, in the middle of what it was doing. What it had not delivered is not forgotten. */
	crash(): Promise<void>;
	/** Back on the same ports, with everything remembered. */
	comeBack(): Promise<void>;

	readonly dialect: Dialect;
	/** Changes some switches of the dialect, or all by a preset's name. */
	setDialect(changes: DialectName | Partial<Dialect>): Dialect;

	addFault(rule: FaultRule): string;
	listFaults(): FaultRule[];
	removeFault(id: string): void;
	clearFaults(): void;
	setLimits(limits: Partial<Limits>): Limits;
	setPaging(paging: Paging): void;
	/** Takes the place of those set before; only in the same process. */
	setOddities(oddities: Oddities): void;
	/** `max` counts since the start or the last `clearRecordings`. */
	inFlight(): InFlight;

	requests(filter?: (request: RequestRecord) => boolean): RequestRecord[];
	deliveries(filter?: (delivery: DeliveryRecord) => boolean): DeliveryRecord[];
	clearRecordings(): void;
	/** Resolves with the first recorded or coming request that fits; rejects after the time-out (milliseconds, default 10,000). */
	waitForRequest(
		predicate: (request: RequestRecord) => boolean,
		timeoutMilliseconds?: number,
	): Promise<RequestRecord>;
	waitForDelivery(
		predicate: (delivery: DeliveryRecord) => boolean,
		timeoutMilliseconds?: number,
	): Promise<DeliveryRecord>;
	/** Resolves when no delivery is under way. */
	deliveriesSettled(): Promise<void>;

	/** As if it had come by SMTP, or been found in an account. Throws when no identity matches a recipient. */
	receiveMail(raw: string | Uint8Array, options: MailOptions): Promise<ReceivedMail>;
	deliver(order: DeliveryOrder): Promise<DeliveryRecord[]>;
	/** The same message (or body) to the same address once more. */
	repeatDelivery(deliveryId: string): Promise<DeliveryRecord>;

	/** A deep copy. */
	dumpState(): SandboxState;
	replaceState(state: Partial<SandboxState>): void;
	/** All subscriptions, copied. */
	webhooks(): StoredWebhook[];
	/** As if someone had made it in the service by hand. `ownerId` is the owner's when left out. */
	addWebhook(webhook: Partial<StoredWebhook> & { url: string }): StoredWebhook;
	/** As if someone had changed it by hand. Throws when there is none. */
	editWebhook(id: string, changes: Partial<StoredWebhook>): StoredWebhook;
	removeWebhook(id: string): void;
	addIdentity(identity: Partial<StoredIdentity> & { value: string }): StoredIdentity;
	editIdentity(id: string, changes: Partial<StoredIdentity>): StoredIdentity;
	/** What becomes of subscriptions for it is the dialect's choice. */
	removeIdentity(id: string): void;
	/** Another workspace, or other rights of the key. */
	editAccount(account: 'owner' | 'other', changes: Partial<StoredAccount>): StoredAccount;
	/** The old key stops working. Returns the new one. */
	rotateKey(account: 'owner' | 'other'): string;
}

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

/**
 * What a service may do to subscriptions within the contract's words, and against what a caller expects.
 * For tests in the same process: some of it is code.
 */
export interface Oddities {
	/** What `GET /webhooks` shows in place of what there is: a list that lags, or never shows anything. */
	list?: readonly StoredWebhook[];
	/** `GET /webhooks/{id}` is answered 404 for all. */
	hidesSingle?: boolean;
	/** Turns a subscription as it is answered otherwise into what is answered. */
	show?: (webhook: Record<string, unknown>) => Record<string, unknown>;
	/** What becomes of what is given, before it is stored. */
	keep?: (given: Partial<StoredWebhook>) => Partial<StoredWebhook>;
	/** The IDs of new subscriptions; UUIDs when left out. */
	newId?: () => string;
}
