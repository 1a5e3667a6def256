import { STATUS_CODES } from 'node:http';
import type { Issue } from '../types';
import type { Dialect } from './dialect';

/** A failure before the dialect gave it a body. */
export interface Failure {
	status: number;
	message: string;
	issues?: Issue[];
	/** The address asked for, as the observed body repeats it. */
	url: string;
}

const codes: Record<number, string> = {
	400: 'INVALID_REQUEST_BODY',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	422: 'INVALID_REQUEST_BODY',
	429: 'TOO_MANY_REQUESTS',
};

const statusesWithoutData = [401, 403, 500];

function observedBody({ status, message, issues, url }: Failure): unknown {
	const error = { code: codes[status] ?? 'ERROR', message, ...(issues && { issues }) };
	return {
		error: true,
		url,
		statusCode: status,
		statusMessage: status === 500 ? 'Server Error' : (STATUS_CODES[status] ?? 'Error'),
		message,
		...(!statusesWithoutData.includes(status) && { data: { success: false, error } }),
	};
}

const bodies: Record<Dialect['errorBody'], (failure: Failure) => unknown> = {
	observed: observedBody,
	message: ({ message, issues }) => ({ message, ...(issues && { issues }) }),
	text: ({ message }) => message,
	empty: () => '',
};

/** The body of a failure: an object to be sent as JSON, or text. */
export function errorBody(failure: Failure, dialect: Dialect): unknown {
	return bodies[dialect.errorBody](failure);
}
