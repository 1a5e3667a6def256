import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** Every n8n context that may talk to the service. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** One resource exactly as the service sent it, without the envelope around it. */
export type Entry = IDataObject;

/** The owner of the API key (contract, section 2.1). */
export interface User {
	userId: string;
	email: string | null;
}

/**
 * An address or a domain connected to the service (contract, section 2.2), with what a service was seen to add. Times are
 * ISO 8601.
 */
export interface Identity {
	id: string;
	ownerId: string | null;
	kind: string | null;
	publicId: string | null;
	value: string | null;
	/** The name that stands before the address in the emails it sends. */
	displayName: string | null;
	status: string | null;
	/** Whether others of the same service may use it; null where the service knows no sharing. */
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

/** A DNS record that a domain needs, as a service was seen to list it (the contract does not show it). */
export interface ListedDnsRecord {
	type: string | null;
	/** In full, without the domain, or `@`; some leave out the domain's own. */
	name: string | null;
	value: string | null;
	/** Of an MX record, where it does not stand before the value. */
	priority: string | null;
	note: string | null;
}

/** A webhook subscription (contract, section 2.4). `identityId` null means all identities, `enabled` null that it is unknown. */
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

/** The fields of a creation (contract, section 2.4); `ownerId` is the key's own user. */
export interface NewWebhook {
	url: string;
	events: string[];
	ownerId: string;
	/** Left out for all identities. */
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
	/** Relative to the base URL, starting with a slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
	/** Looks whether a creation that may have been done was not; asked before it is repeated. */
	isUndone?: () => Promise<boolean>;
}

export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The address that answered: the base for relative links. */
	url: string;
}
