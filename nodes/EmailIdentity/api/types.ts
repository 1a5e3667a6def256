import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** One resource as the service sent it, without its envelope. */
export type Entry = IDataObject;

/** The fields of a new webhook (contract, section 2.4); `ownerId` is the API key's user. */
export interface NewWebhook {
	url: string;
	events: string[];
	ownerId: string;
	identityId?: string;
	enabled?: boolean;
	description?: string;
}

/** `identityId: null` removes the restriction to one identity. */
export type WebhookChanges = Partial<Omit<NewWebhook, 'identityId'>> & {
	identityId?: string | null;
};

export type Subject = 'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks';

/** `message` says what happened, `detail` why, `description` what to do. */
export interface Advice {
	message: string;
	detail?: string;
	description: string;
}

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, with a leading slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
	/** Awaited before each attempt, which is not made if it throws. */
	beforeAttempt?: () => Promise<void>;
}

export interface ApiResponse {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The URL that responded; the base for relative links. */
	url: string;
}
