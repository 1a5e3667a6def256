import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** Every n8n context that may send requests to the service. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** One resource as the service sent it, without its envelope. */
export type Entry = IDataObject;

/** The owner of the API key (contract, section 2.1). */
export interface User {
	userId: string;
	email: string | null;
}

/**
 * An address or a domain connected to the service (contract, section 2.2), with additional fields of running services. Times
 * are ISO 8601.
 */
export interface Identity {
	id: string;
	ownerId: string | null;
	kind: string | null;
	publicId: string | null;
	value: string | null;
	/** The sender name of its emails. */
	displayName: string | null;
	status: string | null;
	/** Whether other users of the service may use it; null if the service does not support sharing. */
	sharedWithWorkspace: boolean | null;
	incomingDomain: boolean | null;
	domainIdentityId: string | null;
	dnsRecords: unknown;
	meta: unknown;
	providerId: string | null;
	smtpAccountId: string | null;
	createdAt: string | null;
	updatedAt: string | null;
}

/** A required DNS record, as running services list it (not in the contract). */
export interface ListedDnsRecord {
	type: string | null;
	/** In full, without the domain, or `@`; null for the domain itself in some services. */
	name: string | null;
	value: string | null;
	/** Of an MX record, if it is not part of the value. */
	priority: string | null;
	note: string | null;
}

/** A webhook subscription (contract, section 2.4). `identityId` null: all identities; `enabled` null: unknown. */
export interface Webhook {
	id: string;
	url: string;
	events: string[];
	enabled: boolean | null;
	identityId: string | null;
	ownerId: string | null;
	workspaceId: string | null;
	description: string | null;
	createdAt: string | null;
	updatedAt: string | null;
}

/** The fields of a new webhook (contract, section 2.4); `ownerId` is the API key's user. */
export interface NewWebhook {
	url: string;
	events: string[];
	ownerId: string;
	/** Omitted for all identities. */
	identityId?: string;
	enabled?: boolean;
	description?: string;
}

/** `identityId: null` removes the restriction to one identity. */
export type WebhookChanges = Partial<Omit<NewWebhook, 'identityId'>> & {
	identityId?: string | null;
};

export interface EmailIdentityCredential {
	baseUrl: string;
	apiKey: string;
	allowPrivateWebhookUrls: boolean;
}

/** The resource of a request. */
export type Subject = 'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks';

/** `message` says what happened, `description` what to do. */
export interface Advice {
	message: string;
	description: string;
}

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, with a leading slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
	/** Whether an uncertain creation did not happen; checked before it is repeated. */
	isUndone?: () => Promise<boolean>;
}

export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The URL that responded; the base for relative links. */
	url: string;
}
