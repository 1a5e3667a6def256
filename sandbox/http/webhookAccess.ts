import type { Environment } from './environment';
import { Refusal } from './refusal';
import type { GivenWebhook } from './webhookRules';

/** Refuses a subscription in another user's name, where the name is looked at (contract, section 5). */
export function checkOwner(
	{ ownerId }: Pick<Partial<GivenWebhook>, 'ownerId'>,
	userId: string,
	{ dialect }: Environment,
): void {
	if (dialect.ownerInBody === 'ignored' || ownerId === undefined || ownerId === userId) return;
	throw new Refusal(403, 'The owner is not the user of this key');
}

/** Refuses a subscription to an identity that is not the caller's, or not there, as the dialect does. */
export function checkRestriction(
	{ identityId }: Pick<Partial<GivenWebhook>, 'identityId'>,
	userId: string,
	{ store, dialect }: Environment,
): void {
	if (identityId === undefined || identityId === null) return;
	const identity = store.identity(identityId);
	if (identity?.ownerId === userId) return;
	if (identity && dialect.foreignRestriction === 'accepted') return;
	if (!identity && dialect.missingRestrictionStatus === 500) throw new Refusal(500, 'Server Error');
	throw new Refusal(403, 'Identity not found or access denied');
}
