import type { Webhook } from '../../api/types';
import { webhookDiff, type WebhookState } from '../../shared/webhookDiff';
import { digestSecret, type Listening } from '../secret';
import type { DesiredState } from './desiredState';
import { deliveryOf } from './gateway';
import type { ObservedState } from './observedState';
import type { OwnWrites } from './ownWrites';
import type { Retirement } from '../options';
import { readShownUrl } from './shownUrl';
import type { Target } from './target';

/** One thing to do in the service. */
export type Action =
	| { kind: 'create' }
	| { kind: 'update'; id: string; changes: WebhookState }
	/** An update of one that the service does not show: if it is there, it is right afterwards. */
	| { kind: 'assert'; id: string; changes: WebhookState }
	| { kind: 'delete'; id: string };

export interface Difference {
	/** The subscription that stays. */
	kept?: Webhook;
	/** Empty when everything is right. */
	actions: Action[];
}

/** What a comparison depends on, beside what is desired and what is observed. */
export interface DiffContext {
	target: Target;
	listening: Listening;
	ownWrites: OwnWrites;
	/**
	 * Whether the node is being switched on: then a wrong description alone is worth a request, and a state
	 * that the service does not tell is made sure of. A check, each time anew, takes its own write for it.
	 */
	isActivation: boolean;
}

/**
 * Compares, so that exactly one right, enabled subscription is there.
 *
 * | observed | actions |
 * | --- | --- |
 * | none | create |
 * | one that was made, and is not shown | write what is desired to its ID |
 * | one, right in everything | none |
 * | one, paused or with another URL, events or identity | update exactly what differs |
 * | several | delete all but the one that needs the least, then as above |
 *
 * Surplus ones go first: when that fails, nothing new was switched on.
 */
export function diff(
	desired: DesiredState,
	{ own, unseen }: Pick<ObservedState, 'own' | 'unseen'>,
	context: DiffContext,
): Difference {
	const [best, ...surplus] = own
		.map((webhook) => ({ webhook, changes: changesTo(webhook, desired, context) }))
		.sort((one, other) => urgency(one.changes) - urgency(other.changes));
	if (!best) {
		const [id] = unseen;
		return {
			actions: [id === undefined ? { kind: 'create' } : { kind: 'assert', id, changes: desired }],
		};
	}
	const { webhook, changes } = best;
	const actions = surplus.map(({ webhook: { id } }): Action => ({ kind: 'delete', id }));
	const isWorthIt = context.isActivation || urgency(changes) > 0;
	if (isWorthIt && Object.keys(changes).length > 0) {
		actions.push({ kind: 'update', id: webhook.id, changes });
	}
	return { kept: webhook, actions };
}

/**
 * Compares, so that none of the subscriptions delivers.
 *
 * | observed | pause | delete |
 * | --- | --- | --- |
 * | none | nothing | nothing |
 * | enabled, or the service does not say | pause it | delete it |
 * | paused | nothing | delete it |
 */
export function retirementDiff(
	own: ReadonlyArray<Pick<Webhook, 'id' | 'enabled'>>,
	retirement: Retirement,
	ownWrites: OwnWrites,
): Action[] {
	if (retirement === 'delete') return own.map(({ id }) => ({ kind: 'delete', id }));
	return own
		.filter(({ id, enabled }) => enabled !== false || ownWrites.lastAskedOf(id).enabled === true)
		.map(({ id }) => ({ kind: 'update', id, changes: { enabled: false } }));
}

/** One text for one action, to tell whether the same is needed again. */
export function signatureOf(action: Action): string {
	return JSON.stringify(action);
}

function changesTo(shown: Webhook, desired: DesiredState, context: DiffContext): WebhookState {
	const last = context.ownWrites.lastAskedOf(shown.id);
	const changes = webhookDiff(shown, desired, {
		url: isUrlRight(shown, desired, context),
		enabled: isEnabled(shown, context),
	});
	// The service may show what was there before the last write.
	const stale = webhookDiff({ ...shown, ...desired, ...last }, desired);
	return { ...changes, ...stale };
}

function isUrlRight(
	{ id, url }: Webhook,
	desired: DesiredState,
	{ target, listening, ownWrites }: DiffContext,
): boolean {
	const shown = readShownUrl(url, desired.url);
	if (shown !== 'hidden') return shown === 'right';
	const { stored } = target;
	const isStored = stored?.id === id && stored.listening === listening;
	const isStoredUrl =
		isStored &&
		stored.secretDigest === digestSecret(target.secrets[listening]) &&
		stored.deliveryUrlDigest === deliveryOf(target, listening).deliveryUrlDigest;
	return ownWrites.lastWrittenTo(id).url === desired.url || isStoredUrl;
}

function isEnabled(
	{ id, enabled }: Webhook,
	{ target, ownWrites, isActivation }: DiffContext,
): boolean {
	const wasSwitchedOff = target.stored?.id === id && target.stored.retired === true;
	const wasWritten = ownWrites.lastWrittenTo(id).enabled === true;
	if (wasSwitchedOff && !wasWritten) return false;
	return enabled ?? (!isActivation && wasWritten);
}

/** How many of the changes decide whether mail arrives: all but the description. */
function urgency(changes: WebhookState): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}
