import { webhookDiff, type WebhookState } from '../../shared/webhookDiff';
import type { ReceivingIdentity } from '../restriction';
import { digestSecret, type Listening } from '../secret';
import { readShownUrl, subscriptionUrl } from './address';
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

/** In UTF-16 units. The service keeps descriptions as free text; a longer one might come back cut, and so look edited. */
const MAX_NAME_LENGTH = 160;

/**
 * Works out what the node's parameters and n8n's address ask for.
 *
 * @param identity the chosen one. Mailboxes belong to addresses: a subscription that is restricted to a domain was
 * seen to receive nothing (Kurrier 3.5.0), so for a domain it is not, and the node picks out the mail
 */
export function desiredStateOf(
	target: Target & { listening: Listening },
	events: string[],
	identity: ReceivingIdentity | undefined,
): DesiredState {
	const name = shorten(target.name);
	return {
		url: subscriptionUrl(target, target.listening, target.secret),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: target.listening === 'test' ? `[Test] n8n: ${name}` : `n8n: ${name}`,
	};
}

/** Cuts between what a person takes for characters: not within an emoji, a flag or a letter with its accents. */
function shorten(name: string): string {
	if (name.length <= MAX_NAME_LENGTH) return name;
	const head = name.slice(0, 2 * MAX_NAME_LENGTH);
	const characters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(head);
	const cut = characters.containing(MAX_NAME_LENGTH)?.index ?? 0;
	return head.slice(0, cut > 0 ? cut : MAX_NAME_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** The state that the subscription is brought into. */
export type Goal =
	| {
			state: 'on';
			desired: DesiredState;
			/**
			 * Whether the node is being switched on: then a wrong description alone is worth a request, and a state that the
			 * service does not tell is written. A check, each time anew, takes its own write for it.
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
 * | a test subscription that nobody listens for | delete | delete | delete |
 *
 * Deletions go first: when one fails, nothing new was switched on.
 */
export function plan(goal: Goal, { own, leftovers }: Pick<Seen, 'own' | 'leftovers'>): Plan {
	const { kept, actions } =
		goal.state === 'on' ? planOn(own, goal) : { actions: own.flatMap(OFF[goal.state]) };
	return { kept, actions: [...leftovers.map(deletion), ...actions] };
}

function planOn(
	own: readonly Own[],
	{ desired, isActivation }: Extract<Goal, { state: 'on' }>,
): Plan {
	const [best, ...surplus] = own
		.filter(({ shown }) => shown !== undefined)
		.map((one) => ({ one, changes: changesTo(one, desired, isActivation) }))
		.sort((a, b) => urgency(a.changes) - urgency(b.changes));
	if (!best) {
		const [hidden] = own;
		return {
			actions: [hidden ? { kind: 'update', id: hidden.id, changes: desired } : { kind: 'create' }],
		};
	}
	const { one: kept, changes } = best;
	const actions = surplus.map(({ one }) => deletion(one.id));
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

/** One text for one action, to tell whether the same is needed again. */
export function signatureOf(action: Action): string {
	return JSON.stringify(action);
}

/** Whether a subscription is for one identity once this is done, and was not before, or may not have been. */
export function restricts(
	action: Action,
	{ identityId }: Pick<DesiredState, 'identityId'>,
): boolean {
	return action.kind === 'create' ? identityId !== null : isRestricting(action);
}

export function isRestricting(action: Action): boolean {
	return 'changes' in action && typeof action.changes.identityId === 'string';
}

function changesTo(own: Own, desired: DesiredState, isActivation: boolean): WebhookState {
	const { shown, asked } = own;
	if (!shown) return desired;
	const changes = webhookDiff(shown, desired, {
		url: isUrlRight(own, desired),
		enabled: isEnabled(own, isActivation),
	});
	// The service may show the state before the last write.
	const stale = webhookDiff({ ...shown, ...desired, ...asked }, desired);
	return { ...changes, ...stale };
}

function isUrlRight({ shown, confirmed, stored }: Own, { url }: DesiredState): boolean {
	const reading = readShownUrl(shown?.url ?? null, url);
	if (reading !== 'hidden') return reading === 'right';
	return confirmed.url === url || stored?.urlDigest === digestSecret(url);
}

function isEnabled({ shown, confirmed, stored }: Own, isActivation: boolean): boolean {
	const wasWritten = confirmed.enabled === true;
	if (stored?.retired === true && !wasWritten) return false;
	return shown?.enabled ?? (!isActivation && wasWritten);
}

/** How many of the changes decide whether mail arrives: all but the description. */
function urgency(changes: WebhookState): number {
	return Object.keys(changes).filter((field) => field !== 'description').length;
}
