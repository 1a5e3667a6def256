import { STATUS_CODES } from 'node:http';
import type { Issue } from '../types';
import type { Dialect } from './dialect';

/** A failure before the dialect gave it a body. */
export interface Failure {
	status: number;
	message: string;
	issues?: Issue[];
	/** What programs tell it by; failures without one carry no `data` in the observed body. */
	code?: string;
	/** Said beside the code. */
	details?: Record<string, unknown>;
	/** The address asked for, as the observed body repeats it. */
	url: string;
}

function observedBody({ status, message, issues, code, details, url }: Failure): unknown {
	const said = status === 500 ? 'Server Error' : message;
	const error = { code, message, ...(issues && { issues }), ...details };
	return {
		error: true,
		url,
		statusCode: status,
		statusMessage: said,
		message: said,
		...(code !== undefined && { data: { success: false, error } }),
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

/** What follows the status in the answer's first line: the message, where the error body repeats it too. */
export function errorReason({ status, message }: Failure, { errorBody: body }: Dialect): string {
	const reason = STATUS_CODES[status] ?? 'Error';
	if (body !== 'observed' || status === 500) return status === 500 ? 'Server Error' : reason;
	return message.replace(/[^\x20-\x7e]/g, '');
}
