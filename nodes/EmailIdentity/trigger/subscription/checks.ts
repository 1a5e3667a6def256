import { createHash } from 'crypto';
import type { CronExpression } from 'n8n-workflow';

import { isRestricting, signatureOf, type Action } from './plan';
import type { Outcome } from './reconcile';

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
 * When one node's subscription is looked at, and which of the needed actions are done. All times are milliseconds since 1970.
 *
 * | a check finds | then |
 * | --- | --- |
 * | everything right | the next one comes at the usual interval |
 * | the restriction to an identity lost | it is repaired at once, and looked at again a minute later |
 * | something else wrong | it is looked at again a minute later: where several mains share the work, another one may be switching the workflow off right now |
 * | the same a minute later | it is repaired, and looked at again after another minute |
 * | something that was repaired already | it had no effect: that is logged once, and it is left alone until everything is right |
 * | that it can't look | it tries again a minute later, for most causes pass; after that at the usual interval |
 */
export class Checks {
	private dueAt: number;

	/** Whether the last look found something that can be repaired, and left it. */
	private isSuspect = false;

	private hasFailed = false;

	private hurriedAt = -Infinity;

	/** Signatures of what was repaired, or refused, since everything was last right. */
	private readonly tried = new Set<string>();

	/** Signatures of what had no effect, and was logged. */
	private readonly logged = new Set<string>();

	/** @param interval minutes; 0 for never */
	constructor(
		private readonly interval: number,
		now: number,
	) {
		this.dueAt = this.nextAfter(now);
	}

	/** Begins a check when one is due. */
	begin(now: number): boolean {
		if (now < this.dueAt) return false;
		this.dueAt = this.nextAfter(now);
		return true;
	}

	/** Begins a check out of turn, at most one a minute: a delivery found the restriction lost. */
	hurry(now: number): boolean {
		if (now - this.hurriedAt < MINUTE) return false;
		this.hurriedAt = now;
		return true;
	}

	/** Which of the needed actions are done now. */
	approve(needed: readonly Action[]): Action[] {
		const approved = this.isSuspect ? needed : needed.filter(isUrgent);
		return approved.filter((action) => !this.hadNoEffect(action));
	}

	/**
	 * Takes in what a look found and what was done.
	 *
	 * @returns what had no effect, and was not logged yet
	 */
	looked(
		{ needed, done, refused }: Pick<Outcome, 'needed' | 'done' | 'refused'>,
		now: number,
	): Action[] {
		const isLeft = needed.some((action) => !this.hadNoEffect(action) && !done.includes(action));
		const unlogged = needed.filter(
			(action) => this.hadNoEffect(action) && !this.logged.has(signatureOf(action)),
		);
		if (needed.length === 0) {
			this.tried.clear();
			this.logged.clear();
		}
		for (const action of [...done, ...refused]) this.tried.add(signatureOf(action));
		// What was refused is logged when it is.
		for (const action of [...unlogged, ...refused]) this.logged.add(signatureOf(action));
		this.isSuspect = isLeft && !this.isSuspect;
		this.hasFailed = false;
		if (this.isSuspect || done.length > 0) this.dueAt = now;
		return unlogged;
	}

	/** Whether an action was done, or refused, since everything was last right. */
	hadNoEffect(action: Action): boolean {
		return this.tried.has(signatureOf(action));
	}

	/** Takes in that a look was not possible. */
	failed(now: number): void {
		if (!this.hasFailed) this.dueAt = now;
		this.hasFailed = true;
	}

	/** A minute is given some slack, for the scheduler is not exact. */
	private nextAfter(now: number): number {
		return this.interval === 0 ? Infinity : now + this.interval * MINUTE - MINUTE / 2;
	}
}

/** A lost restriction lets other identities' mail in. One that is paused may be on its way to be switched off, and lets nothing in. */
function isUrgent(action: Action): boolean {
	return isRestricting(action) && !('changes' in action && action.changes.enabled !== undefined);
}
