import type { IDataObject } from 'n8n-workflow';

import type { ReceivingIdentity } from './restriction';
import type { Listening } from './secret';

/**
 * What the trigger stores about its subscription. It contains no secret, because n8n's command line exports static data
 * with a workflow.
 */
export interface StoredSubscription {
	id: string;
	/** The n8n that created it: static data can be copied to another n8n with the workflow. */
	instanceId: string;
	/** n8n's URL at that time, without the secret. */
	url: string;
	/** SHA-256 of its whole URL, for services that do not show it. */
	urlDigest?: string;
	/** The owner of the API key. */
	ownerId: string;
	/** Its workspace; null if the service has none, left out if it was not asked. */
	workspaceId?: string | null;
	/** SHA-256 of the secret in its URL, see `digestSecret`. */
	secretDigest: string;
	listening: Listening;
	/** The identity that it receives for; none for all. */
	identityId?: string;
	/** The identity's address or domain. */
	identityValue?: string;
	/** Whether the identity is a domain: the subscription itself is not restricted then. */
	isForDomain?: boolean;
	/** Whether it was paused or deleted since. */
	retired?: boolean;
	[extra: string]: unknown;
}

/** The node's static data. n8n keeps it by node name and saves it only when a top-level key is set. */
export interface TriggerStaticData {
	subscription?: StoredSubscription;
	/** Digests of the messages that started the workflow, see `delivery/seenWindow.ts`; a text, once it was saved. */
	seen?: string | { toJSON(): string };
}

/** @param context a hook, trigger or webhook context of the trigger node */
export function triggerStaticData(context: {
	getWorkflowStaticData(type: string): IDataObject;
}): TriggerStaticData {
	return context.getWorkflowStaticData('node') as TriggerStaticData;
}

export function identityOfStored(
	stored: StoredSubscription | undefined,
): ReceivingIdentity | undefined {
	if (stored?.identityId === undefined) return undefined;
	const { identityId: id, identityValue: value = null, isForDomain: isDomain = false } = stored;
	return { id, value, isDomain };
}

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

/** Avoids a write: n8n saves the static data of the whole workflow when one key is set. */
export function isSameStored(
	one: StoredSubscription,
	other: StoredSubscription | undefined,
): boolean {
	const keys = new Set([...Object.keys(one), ...Object.keys(other ?? {})]);
	return other !== undefined && [...keys].every((key) => one[key] === other[key]);
}

/**
 * Whether the stored subscription may still deliver from another account. When the credential changed accounts, the
 * trigger could not pause it: the old API key was gone.
 */
export function isInAnotherAccount(stored: StoredSubscription, ownerId: string): boolean {
	return !stored.retired && stored.ownerId !== '' && ownerId !== '' && stored.ownerId !== ownerId;
}
