import { NodeApiError, type INode } from 'n8n-workflow';
import { withoutTags } from '../../../../lib/basics';
import type { ApiRequest, ResourceKind } from '../request';

/**
 * Sentences for the user about a failed request. They may contain `{resource}` and, after the name of a field of the
 * credential, `{inCredential}`; `filledAdvice` fills these places.
 */
export interface Advice {
	/** Names the failure. */
	message: string;
	/** Names the cause; absent if nothing more is known. */
	detail?: string;
	/** Tells how to solve it. */
	description: string;
}

export const CHECK_BASE_URL =
	'Check the base URL{inCredential}. It ends in the path of the API, such as /api/kurrier.';

export const UNREADABLE_RESPONSE: Advice = {
	message: 'The service sent a response that cannot be read',
	description: CHECK_BASE_URL,
};

const LISTS: Partial<Record<ResourceKind, string>> = {
	identities: 'list of identities',
	webhooks: 'list of webhooks',
};

/** Follows a field of the credential where the reader does not have it open. */
const IN_CREDENTIAL = ' in the Email Identity API credential';

/** @param inCredential the words for `{inCredential}`; none in the credential's own dialog */
export function filledAdvice(
	text: string,
	resource: ResourceKind,
	inCredential: string = IN_CREDENTIAL,
): string {
	return text
		.replaceAll('{resource}', LISTS[resource] ?? resource)
		.replaceAll('{inCredential}', inCredential);
}

interface Facts {
	/** The status of the response; absent if there is none. */
	status?: number;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Whether the service does not have the endpoint. Absent: false. */
	isRouteMissing?: boolean;
	/** Whether the key lacks a permission. Absent: false. */
	lacksRight?: boolean;
	/** Whether the service finds no way to send from the identity of an email. Absent: false. */
	isSenderRefused?: boolean;
}

/** A failed request: the facts for the code, and the sentences for the user. */
export type ServiceFailure = Facts & Advice;

/** What a response with a status of failure tells. Whether the service may have acted depends on the request, too. */
export type StatusFailure = Omit<ServiceFailure, 'mayHaveActed'>;

/** Not properties of the errors, because n8n shows and stores every property. */
const knownFailures = new WeakMap<object, ServiceFailure>();

const PERHAPS_CREATED =
	'The {resource} may still have been created. Check before you create it again.';

const PERHAPS_SENT = 'The email may have been sent. Check before you send it again.';

export function serviceError(
	node: INode,
	{ method, resource }: ApiRequest,
	failure: ServiceFailure,
): NodeApiError {
	const { message, detail, description, status, mayHaveActed } = failure;
	const sentences: string[] = [];
	if (method === 'POST' && mayHaveActed) {
		sentences.push(resource === 'email' ? PERHAPS_SENT : PERHAPS_CREATED);
	}
	if (detail) sentences.push(detail);
	sentences.push(description);

	const words = {
		message: filledAdvice(message, resource),
		description: withoutTags(filledAdvice(sentences.join(' '), resource)),
		httpCode: status === undefined ? undefined : String(status),
	};
	const error = new NodeApiError(node, {}, words);
	knownFailures.set(error, failure);
	return error;
}

function factsOf(error: unknown): Partial<Facts> {
	return knownFailures.get(error as object) ?? {};
}

/** The failure behind an error; undefined for another error. */
export function failureBehind(error: unknown): ServiceFailure | undefined {
	return knownFailures.get(error as object);
}

/** The status of the response. @returns undefined if there is none, or for another error */
export function statusOf(error: unknown): number | undefined {
	return factsOf(error).status;
}

/** Whether the service may have carried out the request that failed. */
export function mayHaveBeenDone(error: unknown): boolean {
	return factsOf(error).mayHaveActed === true;
}

/** Whether the service does not have the endpoint. */
export function isRouteMissing(error: unknown): boolean {
	return factsOf(error).isRouteMissing === true;
}

/** Whether the key lacks a permission, which the error's description names if the service does. */
export function lacksRight(error: unknown): error is NodeApiError {
	return factsOf(error).lacksRight === true;
}

/** Statuses of a service whose API cannot create webhooks (Kurrier 3.5.0 always responds with 500). */
export const CANNOT_CREATE: readonly number[] = [405, 500, 501];

/** Statuses that say something about the API key or the service. */
const NOT_ABOUT_RESOURCES: readonly number[] = [401, 408, 425, 429];

/** Whether a single resource does not exist, or not for this API key (Kurrier 3.5.0: 403 for both). False if in doubt. */
export function isResourceMissing(error: unknown): boolean {
	const { status = 500 } = factsOf(error);
	const isAboutResource = status >= 400 && status < 500 && !NOT_ABOUT_RESOURCES.includes(status);
	return isAboutResource && !lacksRight(error) && !isRouteMissing(error);
}
