import { createHash } from 'crypto';
import type { CronExpression } from 'n8n-workflow';

const MINUTE = 60_000;

/**
 * The moments at which n8n's scheduler asks whether a check is due: every minute, at a second of the
 * node's own, so that all the workflows of an n8n do not call the service at once.
 *
 * @param key tells nodes apart
 */
export function everyMinute(key: string): CronExpression {
	const second = createHash('sha256').update(key).digest().readUInt16BE() % 60;
	return `${second} * * * * *` as CronExpression;
}

/**
 * When the next check is due. A minute is given some slack, for the scheduler is not exact.
 *
 * @param now milliseconds since 1970
 * @param checkEvery minutes; 0 for never
 * @returns milliseconds since 1970
 */
export function nextCheckAt(now: number, checkEvery: number): number {
	return checkEvery === 0 ? Infinity : now + checkEvery * MINUTE - MINUTE / 2;
}
