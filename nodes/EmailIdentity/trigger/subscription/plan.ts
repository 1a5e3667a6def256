import { isSameId, type Webhook } from '../../api/resources';
import {
	triggerDescription,
	webhookDiff,
	type WebhookField,
	type WebhookState,
} from '../../shared/webhooks';
import type { ReceivingIdentity } from '../staticData';
import { SUBSCRIPTION_MS } from '../times';
import type { Target } from './ownWebhooks';
import { subscriptionUrl } from './subscriptionUrl';

/** How the node's subscription should be. */
export interface DesiredState {
	url: string;
	enabled: true;
	events: string[];
	/** Null for all identities, and for a domain. */
	identityId: string | null;
	description: string;
}

/**
 * A subscription that is restricted to a domain receives nothing (Kurrier 3.5.0), because mailboxes belong to addresses.
 *
 * @param now see `wallClockNow`
 */
export function desiredStateOf(
	target: Target,
	events: string[],
	identity: ReceivingIdentity | undefined,
	now: number,
): DesiredState {
	const isTest = target.listening === 'test';
	const until = isTest ? now + SUBSCRIPTION_MS.listening : undefined;
	return {
		url: subscriptionUrl(target, target.secret, until),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: triggerDescription(target.name, isTest),
	};
}

/** The node is active. */
export interface Goal {
	desired: DesiredState;
	/** Only then a wrong description alone is corrected. */
	isActivation: boolean;
	/** The workspace of the chosen identity; undefined or null if the service does not show it. */
	workspaceId: string | null | undefined;
}

export type Action =
	| { kind: 'create'; desired: DesiredState }
	| { kind: 'update'; id: string; changes: WebhookState }
	| { kind: 'delete'; id: string };

export interface Plan {
	/** The subscription that stays; undefined if one must be created. */
	kept: Webhook | undefined;
	actions: Action[];
}

/**
 * | own subscriptions | actions |
 * | --- | --- |
 * | none | create one |
 * | one, correct | |
 * | one, paused or with another URL, events or identity | update only what differs |
 * | several | delete all but one: in the identity's workspace, with the fewest changes; then as above |
 *
 * Deletions go first: if one fails, nothing new has been enabled.
 */
export function planActive(own: readonly Webhook[], goal: Goal): Plan {
	const { desired, isActivation, workspaceId } = goal;
	const candidates = own.map((shown) => {
		const changes = webhookDiff(shown, desired);
		const penalty = isElsewhere(shown, workspaceId) ? Object.keys(desired).length : 0;
		return { shown, changes, cost: urgency(changes) + penalty };
	});
	const [best, ...duplicates] = candidates.sort((one, other) => one.cost - other.cost);
	if (!best) return { kept: undefined, actions: [{ kind: 'create', desired }] };

	const actions: Action[] = duplicates.map(({ shown }) => ({ kind: 'delete', id: shown.id }));
	const { shown: kept, changes } = best;
	const isWorthIt = urgency(changes) > 0 || (isActivation && Object.keys(changes).length > 0);
	if (isWorthIt) actions.push({ kind: 'update', id: kept.id, changes });
	return { kept, actions };
}

/** Each own subscription is paused if it may be enabled, or deleted. */
export function planInactive(own: readonly Webhook[], state: 'absent' | 'paused'): Action[] {
	if (state === 'absent') return own.map(({ id }) => ({ kind: 'delete', id }));
	const enabled = own.filter((webhook) => webhook.enabled !== false);
	return enabled.map(({ id }) => ({ kind: 'update', id, changes: { enabled: false } }));
}

/** Whether a subscription is in another workspace; false if the service does not show this. It cannot be moved. */
export function isElsewhere(shown: Webhook, workspaceId: string | null | undefined): boolean {
	if (!shown.workspaceId || !workspaceId) return false;
	return !isSameId(shown.workspaceId, workspaceId);
}

/** The number of changes that decide whether emails arrive: all but the description. */
function urgency(changes: WebhookState): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}

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
	const words = actions.flatMap((action) => {
		if (action.kind === 'create') return 'created again';
		if (action.kind === 'delete') return 'duplicate deleted';
		return (Object.keys(action.changes) as WebhookField[]).map((field) => REPAIRED[field]);
	});
	return words.join(', ');
}
