import { digestSecret, type Listening } from '../secret';
import type { ReceivingIdentity } from '../restriction';
import type { StoredSubscription } from '../staticData';
import { deliveryOf } from './gateway';
import type { Reconciliation } from './reconcile';
import type { Target } from './target';

/**
 * What static data keep of a subscription. It is a hint: without it everything is found again by the
 * address and the secret.
 *
 * @returns undefined when there is no subscription
 */
export function toStored(
	target: Target,
	listening: Listening,
	{ id, ownerId, workspaceId }: Pick<Reconciliation, 'id' | 'ownerId' | 'workspaceId'>,
	identity: ReceivingIdentity | undefined,
): StoredSubscription | undefined {
	if (id === undefined) return undefined;
	const { instanceId, address, secrets, stored } = target;
	return {
		id,
		instanceId,
		url: address,
		ownerId: ownerId ?? stored?.ownerId ?? '',
		workspaceId: workspaceId ?? null,
		secretDigest: digestSecret(secrets[listening]),
		listening,
		...deliveryOf(target, listening),
		...(identity && {
			identityId: identity.id,
			...(identity.value !== null && { identityValue: identity.value }),
			...(identity.isDomain && { isForDomain: true }),
		}),
	};
}

/** The identity that a subscription was made to receive for, as far as it was stored. */
export function identityOfStored(
	stored: StoredSubscription | undefined,
): ReceivingIdentity | undefined {
	if (stored?.identityId === undefined) return undefined;
	const { identityId: id, identityValue: value = null, isForDomain: isDomain = false } = stored;
	return { id, value, isDomain };
}

/** Whether nothing needs writing: n8n saves the static data of the whole workflow when one key is set. */
export function isSameStored(
	one: StoredSubscription,
	other: StoredSubscription | undefined,
): boolean {
	const keys = new Set([...Object.keys(one), ...Object.keys(other ?? {})]);
	return other !== undefined && [...keys].every((key) => one[key] === other[key]);
}

/**
 * Whether what was stored may go on delivering in an account that the credential no longer belongs to:
 * nothing could be done about it when the account changed, for the old API key was gone.
 */
export function isInAnotherAccount(stored: StoredSubscription, ownerId: string): boolean {
	return !stored.retired && stored.ownerId !== '' && ownerId !== '' && stored.ownerId !== ownerId;
}
