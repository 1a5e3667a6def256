import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** The contexts in which n8n runs the nodes. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** The resource or list that a request is about. */
export type Subject =
	'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks' | 'email';

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, with a leading slash. */
	path: string;
	subject: Subject;
	/** Sent as JSON; absent for none. */
	body?: IDataObject;
	/** The name of the identity that sends an email, for errors; absent if it is not known. */
	sender?: string;
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
