import {
	isSameId,
	type Webhook,
	type WebhookChanges,
	type WebhookField,
} from '../../api/data/resources';
import { triggerDescription, webhookDiff } from '../../shared/webhooks';
import type { ReceivingIdentity } from '../staticData';
import { SUBSCRIPTION_MS } from '../times';
import { subscriptionUrl } from './subscriptionUrl';
import type { Target } from './target';

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

/** What an active node needs. */
export interface Goal {
	desired: DesiredState;
	/** The chosen identity; undefined for all identities. */
	identity: ReceivingIdentity | undefined;
	/** n8n activates the node or starts. Otherwise a wrong description alone is left. */
	isActivation: boolean;
}

export type Action =
	| { kind: 'create'; desired: DesiredState }
	| { kind: 'update'; id: string; changes: WebhookChanges }
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
 * | one, with another description alone | update it at an activation or a start |
 * | several | delete all but one: rather one in the identity's workspace, then the one with the fewest changes; then as above |
 *
 * Deletions go first: if one fails, nothing new has been enabled.
 */
export function planActive(own: readonly Webhook[], goal: Goal): Plan {
	const { desired, identity, isActivation } = goal;
	const candidates = own.map((shown) => {
		const changes = webhookDiff(shown, desired);
		let cost = countUrgent(changes);
		// More than all changes together.
		if (isInOtherWorkspace(shown, identity)) cost += Object.keys(desired).length;
		return { shown, changes, cost };
	});
	candidates.sort((one, other) => one.cost - other.cost);
	const [best, ...duplicates] = candidates;
	if (!best) return { kept: undefined, actions: [{ kind: 'create', desired }] };

	const actions: Action[] = duplicates.map(({ shown }) => ({ kind: 'delete', id: shown.id }));
	const { shown: kept, changes } = best;
	const isWorthIt = countUrgent(changes) > 0 || (isActivation && Object.keys(changes).length > 0);
	if (isWorthIt) actions.push({ kind: 'update', id: kept.id, changes });
	return { kept, actions };
}

/** Deletes all own subscriptions, or pauses those that may be enabled. */
export function planInactive(own: readonly Webhook[], state: 'absent' | 'paused'): Action[] {
	if (state === 'absent') return own.map(({ id }) => ({ kind: 'delete', id }));
	const mayBeEnabled = own.filter((webhook) => webhook.enabled !== false);
	return mayBeEnabled.map(({ id }) => ({ kind: 'update', id, changes: { enabled: false } }));
}

/**
 * Whether a subscription is in another workspace than the chosen identity; false if the service does not show this. It cannot
 * be moved.
 */
export function isInOtherWorkspace(
	shown: Webhook,
	identity: ReceivingIdentity | undefined,
): boolean {
	const wanted = identity?.workspaceId;
	if (!shown.workspaceId || !wanted) return false;
	return !isSameId(shown.workspaceId, wanted);
}

/** The number of changes that decide whether emails arrive: all but the description. */
function countUrgent(changes: WebhookChanges): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}

/** Whether an action restricts a subscription to an identity. */
export function restricts(action: Action): boolean {
	if (action.kind === 'delete') return false;
	const written = action.kind === 'create' ? action.desired : action.changes;
	return typeof written.identityId === 'string';
}

const REPAIRED: Record<WebhookField, string> = {
	url: 'URL corrected',
	enabled: 'resumed',
	events: 'events corrected',
	identityId: 'identity corrected',
	description: 'description corrected',
};

/** Repairs of an active node, in words for n8n's log. */
export function describe(actions: readonly Action[]): string {
	const words: string[] = [];
	for (const action of actions) {
		if (action.kind === 'create') words.push('created again');
		if (action.kind === 'delete') words.push('duplicate deleted');
		if (action.kind === 'update') {
			const fields = Object.keys(action.changes) as WebhookField[];
			words.push(...fields.map((field) => REPAIRED[field]));
		}
	}
	return words.join(', ');
}
