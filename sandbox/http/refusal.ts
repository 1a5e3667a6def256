import type { Issue } from '../types';

/** The service says no: thrown by routes, given its body by the dialect. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly issues?: Issue[],
	) {
		super(message);
	}
}
