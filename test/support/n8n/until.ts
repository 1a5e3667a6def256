import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;
const DEFAULT_TIMEOUT_MS = 120_000;

export interface UntilOptions {
	describe: string;
	/** in milliseconds; two minutes by default */
	timeout?: number;
	/** pause between two looks, in milliseconds; 50 by default */
	interval?: number;
}

type NotYet = undefined | null | false;

/**
 * Waits for a condition by looking again and again. A condition that throws is not yet met.
 *
 * @returns what the condition gave
 * @throws Error with what was waited for and last seen
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
