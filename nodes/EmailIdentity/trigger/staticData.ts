import type { IDataObject } from 'n8n-workflow';

import type { ReceivingIdentity } from './restriction';
import type { Listening } from './secret';

/**
 * What the trigger remembers about the subscription it made. No secret is among it: n8n's command line
 * exports static data along with a workflow.
 */
export interface StoredSubscription {
	/** The subscription's ID in the service. */
	id: string;
	/** The n8n that made it: static data can be copied to another one with the workflow. */
	instanceId: string;
	/** n8n's address that it was made for, without the secret. */
	url: string;
	/** SHA-256 of the whole URL that it was given, for services that do not show it. */
	urlDigest?: string;
	/** The user whose API key it was made with. */
	ownerId: string;
	/** The workspace that it belongs to; null where the service knows none, left out where it was not asked. */
	workspaceId?: string | null;
	/** SHA-256 of the secret that its URL carries now, see `digestSecret`. */
	secretDigest: string;
	listening: Listening;
	/** The one identity that it receives for; none for all. */
	identityId?: string;
	/** Its address or domain. */
	identityValue?: string;
	/** Whether it is a domain, so that the subscription itself is not restricted. */
	isForDomain?: boolean;
	/** Whether it was switched off since. */
	retired?: boolean;
	[extra: string]: unknown;
}

/** The node's static data. n8n keeps them by node name and saves them only when a top-level key is set. */
export interface TriggerStaticData {
	subscription?: StoredSubscription;
	/** Digests of the messages that started the workflow, see `delivery/seenWindow.ts`; a text, once it was saved. */
	seen?: string | { toJSON(): string };
}

/**
 * The node's static data in their own type.
 *
 * @param context a hook, trigger or webhook context of the trigger node
 */
export function triggerStaticData(context: {
	getWorkflowStaticData(type: string): IDataObject;
}): TriggerStaticData {
	return context.getWorkflowStaticData('node') as TriggerStaticData;
}

/** The identity that a subscription was made to receive for, as far as it was stored. */
export function identityOfStored(
	stored: StoredSubscription | undefined,
): ReceivingIdentity | undefined {
	if (stored?.identityId === undefined) return undefined;
	const { identityId: id, identityValue: value = null, isForDomain: isDomain = false } = stored;
	return { id, value, isDomain };
}

/** How an identity is stored. */
export function storedIdentity(
	identity: ReceivingIdentity | undefined,
): Pick<StoredSubscription, 'identityId' | 'identityValue' | 'isForDomain'> {
	if (!identity) return {};
	const { id: identityId, value: identityValue, isDomain: isForDomain } = identity;
	return {
		identityId,
		...(identityValue !== null && { identityValue }),
		...(isForDomain && { isForDomain }),
	};
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
 * Whether the stored subscription may go on delivering in an account that the credential no longer belongs to:
 * nothing could be done about it when the account changed, for the old API key was gone.
 */
export function isInAnotherAccount(stored: StoredSubscription, ownerId: string): boolean {
	return !stored.retired && stored.ownerId !== '' && ownerId !== '' && stored.ownerId !== ownerId;
}
