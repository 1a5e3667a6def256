import { createHash } from 'crypto';
import type { CronExpression } from 'n8n-workflow';
import type { Webhook } from '../../api/types';

const MINUTE = 60_000;

/** n8n listens for two minutes; 2.x lets some callers ask for more, `TEST_WEBHOOK_MAX_TIMEOUT`. */
const LONGEST_LISTENING = 30 * MINUTE;

/**
 * The moments at which n8n's scheduler asks whether a check is due: every minute, at a second of the
 * node's own, so that all the workflows of an n8n do not call the service at once.
 *
 * @param webhookPath tells nodes apart
 */
export function minuteTick(webhookPath: string): CronExpression {
	const second = createHash('sha256').update(webhookPath).digest().readUInt16BE() % 60;
	return `${second} * * * * *` as CronExpression;
}

/**
 * When the next check is due. A minute is given some slack, for the scheduler is not exact.
 *
 * @param now milliseconds since 1970
 * @param checkEvery minutes; 0 for never
 */
export function nextCheck(now: number, checkEvery: number): number {
	return checkEvery === 0 ? Infinity : now + checkEvery * MINUTE - MINUTE / 2;
}

/**
 * Whether a subscription for test events is so old that nobody can still be listening: n8n 1.x forgets
 * those of all workflows when one has received its event (`registrations.deregisterAll`).
 *
 * @param now milliseconds since 1970
 */
export function isForgottenTest({ createdAt }: Pick<Webhook, 'createdAt'>, now: number): boolean {
	return createdAt !== null && now - Date.parse(createdAt) > LONGEST_LISTENING;
}
