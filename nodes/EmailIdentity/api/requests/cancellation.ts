import { sleep } from 'n8n-workflow';
import type { ApiContext } from '../request';

/** The cancel signal of an execution. @returns undefined for other contexts, which have none */
export function executionSignal(context: ApiContext): AbortSignal | undefined {
	if (!('getExecutionCancelSignal' in context)) return undefined;
	return context.getExecutionCancelSignal();
}

/** @returns false if the signal aborted */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
	await unlessAborted(async () => await sleep(milliseconds), signal);
	return signal?.aborted !== true;
}

/** @returns undefined if the signal aborted */
export async function unlessAborted<Result>(
	work: () => Promise<Result>,
	signal: AbortSignal | undefined,
): Promise<Result | undefined> {
	if (signal?.aborted) return undefined;
	// Node warns of more than ten listeners of one signal, and this one may live as long as an execution.
	const own = AbortSignal.any(signal ? [signal] : []);
	let stop = () => {};
	const aborted = new Promise<undefined>((resolve) => {
		stop = () => resolve(undefined);
	});
	own.addEventListener('abort', stop, { once: true });
	try {
		return await Promise.race([work(), aborted]);
	} finally {
		own.removeEventListener('abort', stop);
	}
}
