import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../api/data/json';
import type { Listening } from '../shared/secret';

/** The address or domain that a node receives for. */
export interface ReceivingIdentity {
	id: string;
	/** The address or the domain; null if the service does not show it. */
	value: string | null;
	/** Services restrict subscriptions to addresses only; for a domain, the node filters the emails. */
	isDomain: boolean;
	/** Null if the service does not show it; left out in static data of older versions. */
	workspaceId?: string | null;
}

/** What the service showed about the restriction of a subscription to one identity. */
export interface ShownRestriction {
	/** The ID of an identity; null for all identities; undefined if the service shows this for no subscription. */
	restrictedTo: string | null | undefined;
}

/** The form in static data, so that it outlives n8n. */
export interface StoredRestriction extends ShownRestriction {
	/** Milliseconds, see `wallClockNow`. */
	seenAt: number;
}

/**
 * The trigger's subscription in static data. There is no secret, because n8n's command line exports static data
 * with a workflow.
 */
export interface StoredSubscription {
	id: string;
	/** The n8n that created it, because static data can be copied to another n8n with the workflow. */
	instanceId: string;
	/** n8n's URL at that time, without the secret. */
	url: string;
	ownerId: string;
	/** Null if the service has none, left out if it was not asked. */
	workspaceId?: string | null;
	/** SHA-256 of the secret in its URL, see `digestSecret`. */
	secretDigest: string;
	listening: Listening;
	identity?: ReceivingIdentity;
	/** As the service showed it last. */
	restriction?: StoredRestriction;
	/** Whether it was paused or deleted since. */
	retired?: boolean;
}

/**
 * The messages that started the workflow: for each hour since 1970, their digests without a separator, oldest first. Small,
 * because n8n writes it to its database with each delivery. See `delivery/memory/seenMessages.ts`.
 */
export type StoredMessages = Record<string, string>;

/** The node's static data. n8n keeps it by node name and saves it only when a top-level key is set. */
interface TriggerStaticData {
	subscription?: StoredSubscription;
	/** Digests of the messages that started the workflow. */
	seen?: StoredMessages | { toJSON(): StoredMessages };
}

export function triggerStaticData(context: {
	getWorkflowStaticData(type: string): IDataObject;
}): TriggerStaticData {
	return context.getWorkflowStaticData('node') as TriggerStaticData;
}

/** @returns undefined for anything but what the trigger stores: anyone can write static data into the file of a workflow */
export function readStored(context: {
	getWorkflowStaticData(type: string): IDataObject;
}): StoredSubscription | undefined {
	const { subscription } = triggerStaticData(context);
	if (!isObject(subscription)) return undefined;
	const { id, instanceId, url, ownerId, secretDigest, listening } = subscription;
	const texts: unknown[] = [id, instanceId, url, ownerId, secretDigest, listening];
	return texts.every((text) => typeof text === 'string') ? subscription : undefined;
}
