import { PATIENT, type RetryPolicy } from '../../../nodes/EmailIdentity/api/retry';

/** Time enough for every answer but those of the faults that are about time. */
const GENEROUS = 30_000;

/** Shared by both nodes, so that the matrix can shorten what the user would have to wait for. */
export const patience: RetryPolicy = PATIENT;

/** Pauses as short as they can be; an attempt may take this many milliseconds. */
export function beQuick(timeout = GENEROUS): void {
	Object.assign(patience, { attempts: 3, firstDelay: 1, longestDelay: 2, total: 60_000, timeout });
}
