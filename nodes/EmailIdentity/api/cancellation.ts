import { sleep } from 'n8n-workflow';
import type { ApiContext } from './types';

/** The signal that the execution is cancelled; only executions have one. */
export function executionSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Waits, or stops waiting when the signal says so.
 *
 * @param milliseconds how long
 * @returns whether the whole time has passed
 */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	const { promise, stop } = whenAborted(signal);
	try {
		return await Promise.race([sleep(milliseconds).then(() => true), promise.then(() => false)]);
	} finally {
		stop();
	}
}

/** Who waits for a signal. It is listened to once for all of them: Node warns of more than ten listeners. */
const waitingFor = new WeakMap<AbortSignal, Set<() => void>>();

function waitersOf(signal: AbortSignal): Set<() => void> {
	const known = waitingFor.get(signal);
	if (known) return known;
	const waiters = new Set<() => void>();
	waitingFor.set(signal, waiters);
	signal.addEventListener('abort', () => [...waiters].forEach((settle) => settle()), {
		once: true,
	});
	return waiters;
}

/**
 * A promise that settles when a signal is aborted, and a way to stop waiting for it. Signals live as
 * long as an execution: what waits for one has to let go of it.
 */
export function whenAborted(signal: AbortSignal | undefined): {
	promise: Promise<void>;
	stop: () => void;
} {
	if (!signal) return { promise: new Promise(() => {}), stop: () => {} };
	const waiters = waitersOf(signal);
	let stop = () => {};
	const promise = new Promise<void>((resolve) => {
		const settle = () => resolve();
		waiters.add(settle);
		stop = () => waiters.delete(settle);
	});
	return { promise, stop };
}
