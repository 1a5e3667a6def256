import { setTimeout as pause } from 'node:timers/promises';

/** A condition mostly asks n8n, which then has less time for what is waited for: long waits ask less often. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
const GROWTH = 1.3;

/** Less than a test may take (`jest.config.js`), so that the error says what was waited for. */
const MAX_WAIT_MS = 540_000;

type NotYet = undefined | null | false;

/**
 * Waits for a condition by checking it again and again. A condition that throws is not yet met.
 *
 * @param what says what is waited for
 * @returns what the condition returned
 * @throws Error with what was waited for and what was last seen
 */
export async function until<T>(
	what: string,
	condition: () => Promise<T | NotYet> | T | NotYet,
	timeoutMs = MAX_WAIT_MS,
): Promise<T> {
	const deadline = performance.now() + timeoutMs;
	let last: unknown;
	let pauseMs = FIRST_PAUSE_MS;
	do {
		try {
			const result = await condition();
			if (result !== undefined && result !== null && result !== false) return result;
			last = result;
		} catch (error) {
			if (error instanceof GiveUp) throw error.cause;
			last = error;
		}
		await pause(pauseMs);
		pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
	} while (performance.now() < deadline);
	const seen = last instanceof Error ? last.message : JSON.stringify(last);
	throw new Error(`Waited ${timeoutMs} ms in vain until ${what}. Last seen: ${seen}`);
}

/** Thrown by a condition that can no longer be met: the wait ends at once with the error inside. */
export class GiveUp extends Error {
	constructor(override readonly cause: Error) {
		super(cause.message);
	}
}
