import { createHash } from 'crypto';
import type { CronExpression } from 'n8n-workflow';

import { webhookDiff, type WebhookField, type WebhookState } from '../../shared/webhookDiff';
import type { ReceivingIdentity } from '../restriction';
import { digestSecret } from '../secret';
import { isSameUrl, subscriptionUrl } from './address';
import type { Own, Seen, Target } from './observe';

/** The node's subscription while it listens. */
export interface DesiredState {
	/** With the secret. */
	url: string;
	enabled: true;
	events: string[];
	/** Null for all identities, and for a domain. */
	identityId: string | null;
	description: string;
}

/** In characters. The service keeps descriptions as free text; a longer one might come back cut, and so look edited. */
const MAX_NAME_LENGTH = 160;

/**
 * Works out what the node's parameters and n8n's address ask for.
 *
 * @param identity the chosen one. Mailboxes belong to addresses: a subscription that is restricted to a domain was
 * seen to receive nothing (Kurrier 3.5.0), so for a domain it is not, and the node picks out the mail
 */
export function desiredStateOf(
	target: Target,
	events: string[],
	identity: ReceivingIdentity | undefined,
): DesiredState {
	const name = [...target.name].slice(0, MAX_NAME_LENGTH).join('');
	return {
		url: subscriptionUrl(target, target.listening, target.secret),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: target.listening === 'test' ? `[Test] n8n: ${name}` : `n8n: ${name}`,
	};
}

/** The state that the subscription is brought into. */
export type Goal =
	| {
			state: 'on';
			desired: DesiredState;
			/**
			 * Whether the node is being activated: then a wrong description alone is worth a request, and a state that the
			 * service does not show is written. Checks rely on what was written then.
			 */
			isActivation: boolean;
	  }
	| { state: 'paused' | 'absent' };

/** One thing to do in the service. */
export type Action =
	| { kind: 'create' }
	| { kind: 'update'; id: string; changes: WebhookState }
	| { kind: 'delete'; id: string };

export interface Plan {
	/** The subscription that stays. */
	kept?: Own;
	/** Empty when the goal is reached. */
	actions: Action[];
}

/**
 * Works out what is to be done. Touches nothing.
 *
 * | seen | on | paused | absent |
 * | --- | --- | --- | --- |
 * | none | create | | |
 * | one that was made, and is not shown | write what is desired to its ID | pause it by its ID, unless n8n stored that it is | delete it by its ID |
 * | one, right in everything | | pause | delete |
 * | one, paused or with another URL, events or identity | update exactly what differs | pause it if it is enabled, or may be | delete |
 * | several | delete all but the one that needs the least, then as above | each as above | each as above |
 * | a test subscription that is no longer in use | delete | delete | delete |
 *
 * Deletions go first: when one fails, nothing new was enabled.
 */
export function plan(goal: Goal, { own, leftovers }: Seen): Plan {
	const { kept, actions } =
		goal.state === 'on' ? planOn(own, goal) : { actions: own.flatMap(OFF[goal.state]) };
	return { kept, actions: [...leftovers.map(deletion), ...actions] };
}

function planOn(
	own: readonly Own[],
	{ desired, isActivation }: Extract<Goal, { state: 'on' }>,
): Plan {
	const [best, ...duplicates] = own
		.flatMap((one) => (one.shown ? [{ one, shown: one.shown }] : []))
		.map(({ one, shown }) => ({ one, changes: changesTo(shown, one, desired, isActivation) }))
		.sort((a, b) => urgency(a.changes) - urgency(b.changes));
	if (!best) {
		const [hidden] = own;
		return {
			actions: [hidden ? { kind: 'update', id: hidden.id, changes: desired } : { kind: 'create' }],
		};
	}
	const { one: kept, changes } = best;
	const actions = duplicates.map(({ one }) => deletion(one.id));
	const isWorthIt = isActivation || urgency(changes) > 0;
	if (isWorthIt && Object.keys(changes).length > 0) {
		actions.push({ kind: 'update', id: kept.id, changes });
	}
	return { kept, actions };
}

const OFF: Record<Exclude<Goal['state'], 'on'>, (own: Own) => Action[]> = {
	absent: ({ id }) => [deletion(id)],
	paused({ id, shown, asked, stored }) {
		const isPaused = shown ? shown.enabled === false : stored?.retired === true;
		if (isPaused && asked.enabled !== true) return [];
		return [{ kind: 'update', id, changes: { enabled: false } }];
	},
};

function deletion(id: string): Action {
	return { kind: 'delete', id };
}

function changesTo(
	shown: NonNullable<Own['shown']>,
	{ asked, isConfirmed, stored }: Own,
	desired: DesiredState,
	isActivation: boolean,
): WebhookState {
	const { url } = desired;
	const isUrlKnown = isConfirmed && asked.url === url;
	const isEnabledKnown = isConfirmed && asked.enabled === true;
	const changes = webhookDiff(shown, desired, {
		url: shown.url
			? isSameUrl(shown.url, url)
			: isUrlKnown || stored?.urlDigest === digestSecret(url),
		enabled:
			(isEnabledKnown || stored?.retired !== true) &&
			(shown.enabled ?? (!isActivation && isEnabledKnown)),
	});
	// The service may show the state before the last write.
	const stale = webhookDiff({ ...shown, ...desired, ...asked }, desired);
	return { ...changes, ...stale };
}

/** How many of the changes decide whether mail arrives: all but the description. */
function urgency(changes: WebhookState): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}

/** Whether a subscription is for one identity once this is done, and was not before, or may not have been. */
export function restricts(action: Action, goal: Goal): boolean {
	if (action.kind === 'update') return typeof action.changes.identityId === 'string';
	return action.kind === 'create' && goal.state === 'on' && goal.desired.identityId !== null;
}

const REPAIRED: Record<WebhookField, string> = {
	url: 'address corrected',
	enabled: 'resumed',
	events: 'events corrected',
	identityId: 'identity corrected',
	description: 'description corrected',
};

/** For n8n's log. */
export function describe(actions: readonly Action[]): string {
	return actions.flatMap(describeOne).join(', ');
}

function describeOne(action: Action): string[] {
	if (action.kind === 'create') return ['created again'];
	if (action.kind === 'delete') return ['a duplicate removed'];
	const fields = Object.keys(REPAIRED) as WebhookField[];
	return fields.filter((field) => field in action.changes).map((field) => REPAIRED[field]);
}

const MINUTE = 60_000;

/**
 * When n8n's scheduler asks whether a check is due: every minute, at a second of the
 * node's own, so that the workflows of an n8n do not all call the service at once.
 *
 * @param key tells nodes apart
 */
export function everyMinute(key: string): CronExpression {
	const second = createHash('sha256').update(key).digest().readUInt16BE() % 60;
	return `${second} * * * * *` as CronExpression;
}

/**
 * When one node's subscription is looked at while it is active, and which of the needed actions are done then. All times
 * are milliseconds since 1970.
 *
 * | a check finds | then |
 * | --- | --- |
 * | everything right | the next one comes at the usual interval |
 * | the restriction to an identity lost | it is repaired at once, and looked at again a minute later |
 * | something else wrong | it is looked at again a minute later: where several mains share the work, another one may be deactivating the workflow right now |
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

	/** What was repaired since everything was last right, and whether it was logged that it had no effect. */
	private readonly tried = new Map<string, boolean>();

	/** @param interval minutes; 0 for never */
	constructor(
		private readonly interval: number,
		now: number,
	) {
		this.dueAt = this.nextAfter(now);
	}

	/**
	 * Begins a check when one is due.
	 *
	 * @param isHurried a delivery found the restriction lost: out of turn, at most once a minute
	 */
	begin(now: number, isHurried: boolean): boolean {
		if (isHurried ? now - this.hurriedAt < MINUTE : now < this.dueAt) return false;
		if (isHurried) this.hurriedAt = now;
		else this.dueAt = this.nextAfter(now);
		return true;
	}

	/** Which of the needed actions are done now. */
	approve(needed: readonly Action[]): Action[] {
		const approved = this.isSuspect ? needed : needed.filter(isUrgent);
		return approved.filter((action) => !this.tried.has(keyOf(action)));
	}

	/**
	 * Takes in what a look found and what was done.
	 *
	 * @returns what had no effect, and was not logged yet
	 */
	looked(needed: readonly Action[], done: readonly Action[], now: number): Action[] {
		if (needed.length === 0) this.tried.clear();
		const unlogged = needed.filter((action) => this.tried.get(keyOf(action)) === false);
		for (const action of unlogged) this.tried.set(keyOf(action), true);
		for (const action of done) this.tried.set(keyOf(action), false);
		const isLeft = needed.some((action) => !this.tried.has(keyOf(action)));
		this.isSuspect = isLeft && !this.isSuspect;
		this.hasFailed = false;
		if (this.isSuspect || done.length > 0) this.dueAt = now;
		return unlogged;
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

/** A lost restriction lets other identities' mail in. One that is paused may be about to be deactivated, and lets nothing in. */
function isUrgent(action: Action): boolean {
	if (action.kind !== 'update') return false;
	const { identityId, enabled } = action.changes;
	return typeof identityId === 'string' && enabled === undefined;
}

function keyOf(action: Action): string {
	return JSON.stringify(action);
}
