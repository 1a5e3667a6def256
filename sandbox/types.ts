import type { DialectName } from './dialects';
import type { MessageFields, StoredMessage } from './message';

/** Replaces the right answer, or changes it. */
export type FaultAnswer =
	| {
			type: 'status';
			status: number;
			headers?: Record<string, string>;
			/** Replaces the whole body. */
			body?: unknown;
			issues?: Issue[];
			message?: string;
	  }
	| { type: 'truncatedJson' }
	| { type: 'html' }
	| { type: 'contentType'; contentType: string }
	| { type: 'redirect'; location: string }
	| { type: 'drop' }
	| { type: 'trickle'; chunkBytes: number; intervalMilliseconds: number };

/** Which requests a fault strikes, and how. */
export interface FaultRule {
	/** Any method when left out. */
	method?: string;
	/** Relative to the base URL: `/webhooks`, `/webhooks/*` (one segment). Any path when left out. */
	path?: string;
	/** The number of matching requests that pass untouched first. */
	skip?: number;
	/** It strikes only while more requests than this are under way. */
	above?: number;
	/** The number of requests that it then strikes; no end when left out. */
	count?: number;
	/** Milliseconds before the service acts. */
	delayBefore?: number;
	/** Milliseconds between acting and answering. */
	delayAfter?: number;
	/** Whether the service does what was asked. Left out: only where the right answer is needed. */
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
	/** Milliseconds since 1970. */
	time: number;
	method: string;
	/** Relative to the base URL, without the query. */
	path: string;
	query: string;
	headers: Record<string, string | string[] | undefined>;
	body: string;
	/** `null` while it is under way, 0 when the connection ended without an answer. */
	status: number | null;
	/** The fault that struck. */
	faultId: string | null;
}

export interface DeliveryRecord {
	id: string;
	time: number;
	/** `null` for a URL that no subscription names. */
	webhookId: string | null;
	/** `null` for a body that a test has given. */
	messageId: string | null;
	url: string;
	/** `null` when no answer came. */
	status: number | null;
	responseBody: string;
	/** Why no answer came. */
	error: string | null;
}

/** An email that was sent through the service. */
export interface SentEmail {
	/** The service's own ID, which the response names. */
	id: string;
	/** Milliseconds since 1970. */
	time: number;
	from: string;
	to: string[];
	subject: string;
	/** As they were asked for; null if there is none. */
	text: string | null;
	html: string | null;
	/** The Message-ID of the email that it replies to; null if it stands outside of a conversation. */
	inReplyTo: string | null;
	/** As the mail server got it. */
	rawEmail: string;
}

export interface MailOptions {
	/** The envelope's recipients. */
	to: string | string[];
	/** Whether it is delivered to subscriptions; yes when left out. */
	deliver?: boolean;
	/** In an account read by IMAP: the folder, such as `Sent`. */
	folder?: string;
	/** Replace the fields that are read from the email, such as `draft`, `state`, `ownerId`, `deliveredTo`. */
	fields?: Partial<MessageFields>;
}

/** A delivery that a test orders: a stored message or any body, to a URL or a webhook. */
export interface DeliveryOrder {
	messageId?: string;
	/** Sent instead of the event, byte for byte. */
	body?: string | Uint8Array;
	url?: string;
	webhookId?: string;
}

export interface SandboxOptions {
	/** Default `observed`. */
	dialect?: DialectName;
	/** Free ports are chosen for those left out. */
	httpPort?: number;
	smtpPort?: number;
	controlPort?: number;
	/** The number of additional addresses of the owner. */
	extraIdentities?: number;
	/** The number of requests, and of deliveries, that are remembered. Default 10,000. */
	recordings?: number;
	/** How long deliveries are collected, in dialects that queue them. Default 5; services take about 1,000. */
	collectionDelayMs?: number;
}

/** The user of an API key. */
export interface StoredAccount {
	name: string;
	userId: string;
	email: string;
	workspaceId: string;
	apiKey: string;
}

/** Times are ISO 8601 with up to six fractional digits. */
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
	/** The slug of its folder for sent emails; null if it has none. No answer shows it. */
	sentFolder: string | null;
	status: string;
	workspaceId: string;
	sharedWithWorkspace: boolean;
	createdAt: string;
	updatedAt: string;
}

interface DnsRecord {
	type: string;
	name: string;
	value: string;
	/** Seconds. */
	ttl?: number;
	priority?: number;
	note?: string;
}

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

/** Everything that the service remembers, as plain JSON. */
export interface SandboxState {
	accounts: StoredAccount[];
	identities: StoredIdentity[];
	webhooks: StoredWebhook[];
	messages: StoredMessage[];
}

/** Unexpected behaviour with subscriptions that the contract allows. */
export interface Oddities {
	/** Whether `GET /webhooks` contains a subscription: a list may not have the newest yet. */
	lists?: (webhook: StoredWebhook) => boolean;
	/** Changes a subscription as it is answered. */
	show?: (webhook: Record<string, unknown>) => Record<string, unknown>;
	/** Changes what is given before it is stored. */
	keep?: (given: Partial<StoredWebhook>) => Partial<StoredWebhook>;
}
