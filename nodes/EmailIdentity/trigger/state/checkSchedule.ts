import { SUBSCRIPTION_MS } from '../times';
import type { Action } from '../webhooks/plan';

/** At a different second for each node, so that the workflows of an n8n do not all call the service at once. */
export function everyMinute(fingerprint: string): string {
	const second = Buffer.from(fingerprint, 'base64url').readUInt16BE() % 60;
	return `${second} * * * * *`;
}

/**
 * Decides when to check the subscription of an active node, and what to repair then.
 *
 * | a check finds | then |
 * | --- | --- |
 * | no difference | the next check follows after the usual interval |
 * | the restriction to an identity lost | it is repaired at once and checked again a minute later |
 * | another difference | it is checked again a minute later: with several mains, another one may be deactivating the workflow right now |
 * | the same difference a minute later | it is repaired and checked again after another minute |
 * | a difference that was repaired before | the repair had no effect: this is logged once, and not tried again until there is no difference |
 * | the service does not answer | it is checked again a minute later, because most causes pass; then after the usual interval |
 */
export class CheckSchedule {
	private dueAt: number;

	private hasFailed = false;

	private hurriedAt = -Infinity;

	private seen = new Map<string, number>();

	/** @param interval in milliseconds; 0 for never */
	constructor(
		private readonly interval: number,
		private readonly now: () => number,
	) {
		this.dueAt = this.next();
	}

	/** @param isHurried a delivery found the restriction lost: checks at once, at most once a minute */
	begin(isHurried: boolean): boolean {
		const now = this.now();
		if (isHurried) {
			if (now - this.hurriedAt < SUBSCRIPTION_MS.tick) return false;
			this.hurriedAt = now;
			return true;
		}
		if (now < this.dueAt) return false;
		this.dueAt = this.next();
		return true;
	}

	/** The repairs to make now. */
	approve(needed: readonly Action[]): Action[] {
		return needed.filter((action) => this.timesSeen(action) + 1 === repairedAt(action));
	}

	/**
	 * A check read the subscription.
	 *
	 * @returns the repairs without effect that were not logged yet
	 */
	noteDifferences(needed: readonly Action[]): Action[] {
		this.seen = new Map(needed.map((action) => [actionKey(action), this.timesSeen(action) + 1]));
		const isRecent = needed.some((action) => this.timesSeen(action) <= repairedAt(action));
		if (isRecent) this.dueAt = this.now();
		this.hasFailed = false;
		return needed.filter((action) => this.timesSeen(action) === repairedAt(action) + 1);
	}

	/** The service did not answer. */
	failed(): void {
		if (!this.hasFailed) this.dueAt = this.now();
		this.hasFailed = true;
	}

	private timesSeen(action: Action): number {
		return this.seen.get(actionKey(action)) ?? 0;
	}

	/** Half a minute early, because the scheduler is not exact. */
	private next(): number {
		if (this.interval === 0) return Infinity;
		return this.now() + this.interval - SUBSCRIPTION_MS.tick / 2;
	}
}

/** Without its restriction, an enabled subscription delivers other identities' mail, so it is repaired at first sight. */
function repairedAt(action: Action): number {
	if (action.kind !== 'update') return 2;
	const { identityId, enabled } = action.changes;
	const isEnabled = enabled === undefined;
	return isEnabled && typeof identityId === 'string' ? 1 : 2;
}

function actionKey(action: Action): string {
	return JSON.stringify(action);
}
