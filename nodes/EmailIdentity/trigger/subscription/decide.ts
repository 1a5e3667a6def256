import type { Webhook, WebhookChanges } from '../../api/types';
import type { Retirement } from '../options';

/** What the subscription has to be while the workflow is active. */
export interface Wanted {
	/** With the secret. */
	url: string;
	events: string[];
	/** Null for all identities. */
	identityId: string | null;
	description: string;
}

/** One thing to do in the service. */
export type Move =
	| { kind: 'create' }
	| { kind: 'change'; webhook: Webhook; changes: WebhookChanges }
	| { kind: 'remove'; webhook: Webhook };

export interface Decision {
	/** The subscription that stays. */
	kept?: Webhook;
	/** Empty when everything is right. */
	moves: Move[];
}

interface Aspect {
	field: keyof Wanted | 'enabled';
	isRight(found: Webhook, wanted: Wanted): boolean;
	/** For one line in n8n's log. */
	mended: string;
}

/** What is looked at in a subscription. All but the description decide whether mail arrives. */
const ASPECTS: readonly Aspect[] = [
	{ field: 'url', isRight: (found, { url }) => found.url === url, mended: 'address corrected' },
	{ field: 'enabled', isRight: ({ enabled }) => enabled === true, mended: 'resumed' },
	{
		field: 'events',
		isRight: (found, { events }) => sameMembers(found.events, events),
		mended: 'events corrected',
	},
	{
		field: 'identityId',
		isRight: (found, { identityId }) => found.identityId === identityId,
		mended: 'identity corrected',
	},
];

const DESCRIPTION: Aspect = {
	field: 'description',
	isRight: (found, { description }) => found.description === description,
	mended: 'description corrected',
};

/**
 * Decides what to do so that exactly one right, enabled subscription is there.
 *
 * | found for this node | right in everything | moves |
 * | --- | --- | --- |
 * | none | | create |
 * | one | yes | nothing |
 * | one, paused or with another URL, events or identity | no | change exactly what differs |
 * | several | | remove all but the one that needs the least, then as above |
 *
 * Surplus ones go first: when that fails, nothing new was switched on.
 *
 * @param found the subscriptions that belong to this node, see `recognise.ts`
 * @param alwaysDescribe whether a wrong description alone is worth a request; otherwise it is mended
 * along with something else
 */
export function decide(
	found: readonly Webhook[],
	wanted: Wanted,
	alwaysDescribe: boolean,
): Decision {
	const [kept, ...surplus] = [...found].sort(
		(one, other) => wrongAspects(one, wanted).length - wrongAspects(other, wanted).length,
	);
	if (!kept) return { moves: [{ kind: 'create' }] };
	const moves = surplus.map((webhook): Move => ({ kind: 'remove', webhook }));
	const changes = changesTo(kept, wanted, alwaysDescribe);
	if (changes) moves.push({ kind: 'change', webhook: kept, changes });
	return { kept, moves };
}

/**
 * Decides what to do so that no subscription of this node delivers.
 *
 * | found | pause | delete |
 * | --- | --- | --- |
 * | none | nothing | nothing |
 * | enabled | pause it | remove it |
 * | paused | nothing | remove it |
 */
export function decideRetirement(found: readonly Webhook[], retirement: Retirement): Move[] {
	if (retirement === 'delete') return found.map((webhook) => ({ kind: 'remove', webhook }));
	return found
		.filter(({ enabled }) => enabled !== false)
		.map((webhook) => ({ kind: 'change', webhook, changes: { enabled: false } }));
}

/** Says in a few words what a move changes, for one line in n8n's log. */
export function describeMove(move: Move): string {
	if (move.kind === 'create') return 'created anew';
	if (move.kind === 'remove') return 'a surplus one removed';
	return [...ASPECTS, DESCRIPTION]
		.filter(({ field }) => field in move.changes)
		.map(({ mended }) => mended)
		.join(', ');
}

function changesTo(
	found: Webhook,
	wanted: Wanted,
	alwaysDescribe: boolean,
): WebhookChanges | undefined {
	const wrong = wrongAspects(found, wanted);
	if (!DESCRIPTION.isRight(found, wanted) && (alwaysDescribe || wrong.length > 0)) {
		wrong.push(DESCRIPTION);
	}
	if (wrong.length === 0) return undefined;
	const values = { ...wanted, enabled: true };
	return Object.fromEntries(wrong.map(({ field }) => [field, values[field]]));
}

function wrongAspects(found: Webhook, wanted: Wanted): Aspect[] {
	return ASPECTS.filter(({ isRight }) => !isRight(found, wanted));
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((member) => other.includes(member));
}
