import type { Issue } from '../types';

/** What else is said of a refusal. */
export interface RefusalDetails {
	/** What programs tell it by. */
	code?: string;
	issues?: Issue[];
	/** Said beside the code. */
	details?: Record<string, unknown>;
}

/** The service says no: thrown by routes, given its body by the dialect. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly more: RefusalDetails = {},
	) {
		super(message);
	}
}
