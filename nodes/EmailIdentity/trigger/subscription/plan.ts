import type { Webhook } from '../../api/resources';
import { webhookDiff, type WebhookField, type WebhookState } from '../../shared/webhooks';
import type { ReceivingIdentity } from '../restriction';
import { subscriptionUrl } from './address';
import type { Seen, Target } from './recognise';

/** A subscription that receives deliveries. `identityId` is null for all identities, and for a domain. */
export type DesiredState = ReturnType<typeof desiredStateOf>;

/**
 * The subscription that the node's parameters and n8n's URL require.
 *
 * @param identity the chosen identity. For a domain, the subscription is not restricted and the node filters the emails:
 * restricted to a domain, it receives nothing (seen in Kurrier 3.5.0), because mailboxes belong to addresses
 */
export function desiredStateOf(
	target: Target,
	events: string[],
	identity: ReceivingIdentity | undefined,
) {
	return {
		url: subscriptionUrl(target, target.secret),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: target.listening === 'test' ? `[Test] n8n: ${target.name}` : `n8n: ${target.name}`,
	};
}

/** `isActivation`: only then a wrong description alone is corrected. */
export type Goal =
	{ state: 'on'; desired: DesiredState; isActivation: boolean } | { state: 'paused' | 'absent' };

/** A change in the service. */
export type Action =
	| { kind: 'create'; desired: DesiredState }
	| { kind: 'update'; id: string; changes: WebhookState }
	| { kind: 'delete'; id: string };

export interface Plan {
	/** The subscription that remains. */
	kept?: Webhook;
	/** Empty if the goal is reached. */
	actions: Action[];
}

/**
 * Plans the changes.
 *
 * | seen | on | paused | absent |
 * | --- | --- | --- | --- |
 * | none | create | | |
 * | one, correct | | pause | delete |
 * | one, paused or with another URL, events or identity | update only what differs | pause it if it is enabled | delete |
 * | several | delete all but the one that needs the fewest changes, then as above | each as above | each as above |
 * | a test subscription that is no longer in use | delete | delete | delete |
 *
 * Deletions go first: if one fails, nothing new has been enabled.
 */
export function plan(goal: Goal, { own, leftovers }: Seen): Plan {
	const { kept, actions } =
		goal.state === 'on'
			? planOn(own, goal.desired, goal.isActivation)
			: { actions: own.flatMap(OFF[goal.state]) };
	return { kept, actions: [...leftovers.map(deletionOf), ...actions] };
}

function planOn(own: Seen['own'], desired: DesiredState, isActivation: boolean): Plan {
	const [best, ...duplicates] = own
		.map((shown) => ({ shown, changes: webhookDiff(shown, desired) }))
		.sort((a, b) => urgency(a.changes) - urgency(b.changes));
	if (!best) return { actions: [{ kind: 'create', desired }] };
	const { shown: kept, changes } = best;
	const actions = duplicates.map(({ shown }) => deletionOf(shown));
	const isWorthIt = isActivation || urgency(changes) > 0;
	if (isWorthIt && Object.keys(changes).length > 0) {
		actions.push({ kind: 'update', id: kept.id, changes });
	}
	return { kept, actions };
}

const OFF: Record<Exclude<Goal['state'], 'on'>, (own: Webhook) => Action[]> = {
	absent: (webhook) => [deletionOf(webhook)],
	paused: ({ id, enabled }) =>
		enabled === false ? [] : [{ kind: 'update', id, changes: { enabled: false } }],
};

const deletionOf = ({ id }: Webhook): Action => ({ kind: 'delete', id });

/** The number of changes that decide whether emails arrive: all but the description. */
function urgency(changes: WebhookState): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}

/** Whether an action restricts a subscription that was, or may have been, unrestricted to one identity. */
export function restricts(action: Action): boolean {
	if (action.kind === 'delete') return false;
	const { identityId } = action.kind === 'create' ? action.desired : action.changes;
	return typeof identityId === 'string';
}

const REPAIRED: Record<WebhookField, string> = {
	url: 'URL corrected',
	enabled: 'resumed',
	events: 'events corrected',
	identityId: 'identity corrected',
	description: 'description corrected',
};

export function describe(actions: readonly Action[]): string {
	return actions.map(describeOne).join(', ');
}

function describeOne(action: Action): string {
	if (action.kind === 'create') return 'created again';
	if (action.kind === 'delete') return 'duplicate deleted';
	return (Object.keys(action.changes) as WebhookField[]).map((field) => REPAIRED[field]).join(', ');
}

const MINUTE = 60_000;

/**
 * The schedule on which n8n asks whether a check is due: every minute, at a different second for each node, so that the
 * workflows of an n8n do not all call the service at once.
 *
 * @param mark see `markOf`
 */
export function everyMinute(mark: string): string {
	return `${Buffer.from(mark, 'base64url').readUInt16BE() % 60} * * * * *`;
}

/**
 * Decides when to check the subscription of an active node, and what to repair then. All times are those of `monotonicNow`.
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
export class Checks {
	private dueAt: number;

	private hasFailed = false;

	private hurriedAt = -Infinity;

	/** How often in succession each repair was found necessary. */
	private seen = new Map<string, number>();

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
	 * @param isHurried a delivery found the restriction lost: checks at once, at most once a minute
	 */
	begin(now: number, isHurried: boolean): boolean {
		if (isHurried ? now - this.hurriedAt < MINUTE : now < this.dueAt) return false;
		if (isHurried) this.hurriedAt = now;
		else this.dueAt = this.nextAfter(now);
		return true;
	}

	/** The actions to perform now. */
	approve(needed: readonly Action[]): Action[] {
		return needed.filter((action) => this.timesSeen(action) + 1 === repairedAt(action));
	}

	/**
	 * Records the result of a check.
	 *
	 * @returns the repairs without effect that were not logged yet
	 */
	looked(needed: readonly Action[], now: number): Action[] {
		this.seen = new Map(needed.map((action) => [keyOf(action), this.timesSeen(action) + 1]));
		if (needed.some((action) => this.timesSeen(action) <= repairedAt(action))) this.dueAt = now;
		this.hasFailed = false;
		return needed.filter((action) => this.timesSeen(action) === repairedAt(action) + 1);
	}

	/** Records a failed check. */
	failed(now: number): void {
		if (!this.hasFailed) this.dueAt = now;
		this.hasFailed = true;
	}

	private timesSeen(action: Action): number {
		return this.seen.get(keyOf(action)) ?? 0;
	}

	/** Half a minute early, because the scheduler is not exact. */
	private nextAfter(now: number): number {
		return this.interval === 0 ? Infinity : now + this.interval * MINUTE - MINUTE / 2;
	}
}

/** At which sight an action is performed. Without its restriction, an enabled subscription delivers other identities' mail. */
function repairedAt(action: Action): number {
	const { identityId, enabled }: WebhookState = action.kind === 'update' ? action.changes : {};
	return typeof identityId === 'string' && enabled === undefined ? 1 : 2;
}

const keyOf = (action: Action): string => JSON.stringify(action);
