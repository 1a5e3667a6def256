import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;
const DEFAULT_TIMEOUT_MS = 120_000;

/** How long to wait, and what for: the words appear in the error when the wait was in vain. */
export interface UntilOptions {
	describe: string;
	/** in milliseconds; two minutes by default */
	timeout?: number;
	/** pause between two looks, in milliseconds; 50 by default */
	interval?: number;
}

type NotYet = undefined | null | false;

/**
 * Waits for a condition by looking again and again, never by sleeping blindly. A condition that throws
 * is not yet met; what it threw last is reported when time runs out.
 *
 * @param condition gives something truthy once it is met
 * @returns what the condition gave
 * @throws Error naming what was waited for, how long, and what was last seen
 */
export async function until<T>(
	condition: () => Promise<T | NotYet> | T | NotYet,
	{ describe, timeout = DEFAULT_TIMEOUT_MS, interval = LOOK_AGAIN_MS }: UntilOptions,
): Promise<T> {
	const deadline = performance.now() + timeout;
	let last: unknown;
	do {
		try {
			const result = await condition();
			if (result !== undefined && result !== null && result !== false) return result;
			last = result;
		} catch (error) {
			if (error instanceof GiveUp) throw error.cause;
			last = error;
		}
		await pause(interval);
	} while (performance.now() < deadline);
	const seen = last instanceof Error ? last.message : JSON.stringify(last);
	throw new Error(`Waited ${timeout} ms in vain until ${describe}. Last seen: ${seen}`);
}

/** Thrown by a condition that can no longer be met: the wait ends at once with the error inside. */
export class GiveUp extends Error {
	constructor(override readonly cause: Error) {
		super(cause.message);
	}
}
