import { setImmediate as nextTurn } from 'node:timers/promises';

/** When the process last had a turn, by the time that processors worked for it, in milliseconds. */
let turnBegan = 0;

let longest = 0;

/** Measures the work between two pauses, in which the process could do nothing else. */
export interface PieceWatch {
	/** @returns the longest one since the watch began, in milliseconds of processor time */
	end(): number;
}

export function watchPieces(): PieceWatch {
	longest = 0;
	turnBegan = processorMs();
	return {
		end: () => {
			endPiece();
			return longest;
		},
	};
}

/** Lets other work run, as n8n's `sleep(0)` does. */
export async function pause(): Promise<void> {
	endPiece();
	await nextTurn();
	turnBegan = processorMs();
}

function endPiece(): void {
	longest = Math.max(longest, processorMs() - turnBegan);
}

function processorMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}
