import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { parseUrl } from '../../../lib/basics';

/** The contexts in which n8n runs the nodes. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** The resource or list that a request is about. */
export type ResourceKind =
	'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks' | 'email';

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, with a leading slash. */
	path: string;
	resource: ResourceKind;
	/** Sent as JSON; absent for none. */
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

/** @returns undefined if the response is no redirect, or its target is not a URL */
export function redirectTarget({ status, headers, url }: ApiResponse): URL | undefined {
	const isRedirect = status >= 300 && status < 400;
	if (!isRedirect || headers.location === undefined) return undefined;
	return parseUrl(headers.location, url);
}
