import { setImmediate as nextTurn } from 'node:timers/promises';

/** Measures how long a process could do nothing else. */
export interface BlockWatch {
	/** @returns the longest time since the watch began, in milliseconds */
	end(): Promise<number>;
}

/**
 * Takes each turn of the event loop and measures the wait for it. Node's `monitorEventLoopDelay` misses a block that begins
 * right after its `reset()`: of 200 ms it reported 1.
 */
export async function watchBlocks(): Promise<BlockWatch> {
	await nextTurn();
	let longest = 0;
	let last = performance.now();
	let ended = false;
	const watch = async () => {
		while (!ended) {
			await nextTurn();
			const now = performance.now();
			longest = Math.max(longest, now - last);
			last = now;
		}
		return longest;
	};
	const watching = watch();
	return {
		end: async () => {
			ended = true;
			return await watching;
		},
	};
}
