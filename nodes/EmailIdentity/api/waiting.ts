import { sleep } from 'n8n-workflow';

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

/**
 * A promise that settles when a signal is aborted, and a way to stop listening for it. Signals live as
 * long as an execution: what listens to one has to let go of it.
 */
export function whenAborted(signal: AbortSignal | undefined): {
	promise: Promise<void>;
	stop: () => void;
} {
	let stop = () => {};
	const promise = new Promise<void>((resolve) => {
		const settle = () => resolve();
		signal?.addEventListener('abort', settle, { once: true });
		stop = () => signal?.removeEventListener('abort', settle);
	});
	return { promise, stop };
}
