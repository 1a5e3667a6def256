import type { Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import type { Ensured } from './ensure';
import type { Place, Plan } from './plan';
import { pathOf } from './recognise';

/**
 * The note that static data keep of a subscription. It is a hint: without it everything is found again
 * by the address and the secret.
 *
 * @returns undefined when there is no subscription to note
 */
export function makeNote(
	{ instanceId, address }: Place,
	listening: Listening,
	{ secretDigest, stored }: Plan,
	{ id, ownerId }: Ensured,
): StoredSubscription | undefined {
	if (id === undefined) return undefined;
	return {
		id,
		instanceId,
		url: address,
		ownerId: ownerId ?? stored?.ownerId ?? '',
		secretDigest,
		listening,
	};
}

/** A note counts only where it was made: static data travel with copies of a workflow. */
export function ownNote(
	stored: StoredSubscription | undefined,
	{ instanceId, address }: Place,
): StoredSubscription | undefined {
	const isOwn = stored?.instanceId === instanceId && pathOf(stored.url) === pathOf(address);
	return isOwn ? stored : undefined;
}

/** Whether a note needs no writing: n8n saves the static data of the whole workflow when one key is set. */
export function isSameNote(
	note: StoredSubscription,
	stored: StoredSubscription | undefined,
): boolean {
	const keys = new Set([...Object.keys(note), ...Object.keys(stored ?? {})]);
	return stored !== undefined && [...keys].every((key) => note[key] === stored[key]);
}

/**
 * Whether what a note is about may go on delivering in an account that the credential no longer belongs
 * to: nothing could be done about it when the account changed, for the old API key was gone.
 */
export function isAnotherAccount(note: StoredSubscription, ownerId: string): boolean {
	return !note.retired && note.ownerId !== '' && ownerId !== '' && note.ownerId !== ownerId;
}
