import { isSameId, type Webhook } from '../../api/resources';
import { webhookDiff, type WebhookField, type WebhookState } from '../../shared/webhooks';
import type { ReceivingIdentity } from '../staticData';
import type { Seen, Target } from './ownWebhooks';
import { subscriptionUrl } from './subscriptionUrl';

export type DesiredState = ReturnType<typeof desiredStateOf>;

/** A subscription that is restricted to a domain receives nothing (Kurrier 3.5.0), because mailboxes belong to addresses. */
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

export type Goal = GoalOn | { state: 'paused' | 'absent' };

interface GoalOn {
	state: 'on';
	desired: DesiredState;
	/** Only then a wrong description alone is corrected. */
	isActivation: boolean;
	/** Of the chosen identity, if the service shows it. */
	workspaceId?: string | null | undefined;
}

export type Action =
	| { kind: 'create'; desired: DesiredState }
	| { kind: 'update'; id: string; changes: WebhookState }
	| { kind: 'delete'; id: string };

export interface Plan {
	kept?: Webhook;
	actions: Action[];
}

/**
 * | seen | on | paused | absent |
 * | --- | --- | --- | --- |
 * | none | create | | |
 * | one, correct | | pause | delete |
 * | one, paused or with another URL, events or identity | update only what differs | pause it if it is enabled | delete |
 * | several | delete all but one: in the identity's workspace, with the fewest changes; then as above | each as above | each as above |
 * | a test subscription that is no longer in use | delete | delete | delete |
 *
 * Deletions go first: if one fails, nothing new has been enabled.
 */
export function plan(goal: Goal, { own, leftovers }: Seen): Plan {
	const { kept, actions } =
		goal.state === 'on' ? planOn(own, goal) : { actions: own.flatMap(OFF[goal.state]) };
	return { kept, actions: [...leftovers.map(deletionOf), ...actions] };
}

function planOn(own: Seen['own'], { desired, isActivation, workspaceId }: GoalOn): Plan {
	const rank = ({ shown, changes }: { shown: Webhook; changes: WebhookState }) =>
		urgency(changes) + (isElsewhere(shown, workspaceId) ? Object.keys(desired).length : 0);
	const [best, ...duplicates] = own
		.map((shown) => ({ shown, changes: webhookDiff(shown, desired) }))
		.sort((a, b) => rank(a) - rank(b));
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
