import type { IDataObject } from 'n8n-workflow';

/** What a request is about, in the words a user reads in an error. */
export type Subject = 'user' | 'identity' | 'identities' | 'message' | 'webhook' | 'webhooks';

/** One request to the service. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to the base URL, starting with a slash. */
	path: string;
	subject: Subject;
	body?: IDataObject;
}

/** What the service answered, before anything is read out of it. */
export interface ApiResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string | undefined>;
	text: string;
	/** The address that answered: the base for relative links. */
	url: string;
}

/** Why no answer arrived. */
export type TransportProblem =
	| 'unreachable'
	| 'unknownHost'
	| 'certificate'
	| 'brokenConnection'
	| 'timeout'
	| 'cancelled'
	| 'blocked';

/** A request that ended without an answer. */
export interface TransportFailure {
	problem: TransportProblem;
	/** Whether the request may have reached the service, so that it may have acted on it. */
	mayHaveActed: boolean;
}

/** Either an answer or the reason why there is none. */
export type Exchange = { response: ApiResponse } | { failure: TransportFailure };
