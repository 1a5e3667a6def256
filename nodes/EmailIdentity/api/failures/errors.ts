import { NodeApiError, type INode } from 'n8n-workflow';
import { withoutTags } from '../../../../lib/basics';
import { filledAdvice, type Advice } from './advice';
import type { ApiRequest } from '../request';

interface Facts {
	/** The status of the response; absent if there is none. */
	status?: number;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Whether the service does not have the endpoint. Absent: false. */
	isRouteMissing?: boolean;
	/** Whether the key lacks a permission. Absent: false. */
	lacksRight?: boolean;
}

/** A failed request: the facts for the code, and the sentences for the user. */
export type ServiceFailure = Facts & Advice;

/** Not properties of the errors, because n8n shows and stores every property. */
const knownFacts = new WeakMap<object, Facts>();

const PERHAPS_CREATED =
	'The {subject} may still have been created. Check before you create it again.';

const PERHAPS_SENT = 'The email may have been sent. Check before you send it again.';

export function serviceError(
	node: INode,
	{ method, subject }: ApiRequest,
	failure: ServiceFailure,
): NodeApiError {
	const { message, detail, description, status, mayHaveActed } = failure;
	const sentences: string[] = [];
	if (method === 'POST' && mayHaveActed) {
		sentences.push(subject === 'email' ? PERHAPS_SENT : PERHAPS_CREATED);
	}
	if (detail) sentences.push(detail);
	sentences.push(description);

	const words = {
		message: filledAdvice(message, subject),
		description: withoutTags(filledAdvice(sentences.join(' '), subject)),
		httpCode: status === undefined ? undefined : String(status),
	};
	const error = new NodeApiError(node, {}, words);
	knownFacts.set(error, failure);
	return error;
}

function factsOf(error: unknown): Partial<Facts> {
	return knownFacts.get(error as object) ?? {};
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
