import type { IExecuteFunctions } from 'n8n-workflow';

import { mayHaveBeenDone } from '../api/failures/errors';
import type { PreparedEmail, SendingResult } from './operation';

/** By n8n's object for a run of a node, which all tries of that run share. */
const attemptsByRun = new WeakMap<object, Map<number | string, PreparedEmail>>();

/**
 * The emails that a run of a node has sent, or may have sent. With Retry On Fail, n8n runs a node again with all its items if it
 * failed, or if it continued and its first item failed. Then each item gets the result that it had.
 */
export class EarlierTries {
	private readonly attempts: Map<number | string, PreparedEmail>;

	/** False for a tool that shares the run of its agent with all its other calls. */
	private readonly isOwnRun: boolean;

	constructor(context: IExecuteFunctions) {
		const run = context.getExecuteData();
		this.attempts = attemptsByRun.get(run) ?? new Map();
		attemptsByRun.set(run, this.attempts);
		this.isOwnRun = run.node.name === context.getNode().name;
	}

	/** @returns the email of an item that must not even be checked again; undefined if it has to be */
	ofItem(index: number): PreparedEmail | undefined {
		return this.attempts.get(index);
	}

	/** @returns the email of a tool's earlier call if it may have been sent, or else the same email */
	orEarlierCall(email: PreparedEmail): PreparedEmail {
		return this.attempts.get(email.key ?? '') ?? email;
	}

	/** Waits for an attempt, and notes it, unless it failed and the service certainly did nothing. */
	async note(
		index: number,
		{ key }: PreparedEmail,
		attempt: Promise<SendingResult>,
	): Promise<void> {
		const mayBeSent = await attempt.then(() => this.isOwnRun, mayHaveBeenDone);
		const place = this.isOwnRun ? index : key;
		if (mayBeSent && place !== undefined) {
			this.attempts.set(place, { key, send: async () => await attempt });
		}
	}
}
