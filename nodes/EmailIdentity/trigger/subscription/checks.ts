import { createHash } from 'crypto';
import type { CronExpression } from 'n8n-workflow';
import { signatureOf, type Action } from './diff';
import type { Reconciliation } from './reconcile';

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
 * When one node's subscription is looked at, and what of it is mended. All times are milliseconds since 1970.
 *
 * | a check finds | then |
 * | --- | --- |
 * | everything right | the next one at the usual interval |
 * | something wrong | it is looked at again a minute later: where several mains share the work, another one may be switching the workflow off right now |
 * | the same a minute later | it is mended, and looked at again after another minute |
 * | what was mended already | it did not stick: that is told once, and it is left alone until everything is right |
 * | that it can't look | it tries again a minute later, for most causes pass; after that at the usual interval |
 */
export class Checks {
	private dueAt: number;

	/** Whether the last look found something that can be mended. */
	private isSuspect = false;

	private hasFailed = false;

	/** Signatures of what was mended, or refused, since everything was last right. */
	private readonly mended = new Set<string>();

	/** Signatures of what did not stick, and was told. */
	private readonly told = new Set<string>();

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

	/** What is to be done now of all that is needed. */
	approve(needed: readonly Action[]): Action[] {
		return this.isSuspect ? needed.filter((action) => !this.isFutile(action)) : [];
	}

	/**
	 * Takes in what a look found and what was done.
	 *
	 * @returns what did not stick, and was not told yet
	 */
	looked(
		{ needed, done, refused }: Pick<Reconciliation, 'needed' | 'done' | 'refused'>,
		now: number,
	): Action[] {
		const canBeMended = needed.some((action) => !this.isFutile(action));
		const untold = needed.filter(
			(action) => this.isFutile(action) && !this.told.has(signatureOf(action)),
		);
		if (needed.length === 0) {
			this.mended.clear();
			this.told.clear();
		}
		for (const action of [...done, ...refused]) this.mended.add(signatureOf(action));
		// What was refused is told when it is.
		for (const action of [...untold, ...refused]) this.told.add(signatureOf(action));
		this.isSuspect = canBeMended && !this.isSuspect;
		this.hasFailed = false;
		if (this.isSuspect || done.length > 0) this.dueAt = now;
		return untold;
	}

	/** Whether an action was done, or refused, since everything was last right. */
	isFutile(action: Action): boolean {
		return this.mended.has(signatureOf(action));
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
