import type { IDataObject } from 'n8n-workflow';

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
	/** SHA-256 of the Delivery URL, where it delivers to one: that may hold a secret of the gateway's. */
	deliveryUrlDigest?: string;
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
	/** Digests of the messages that started the workflow, see `delivery/idempotencyWindow.ts`. */
	seen?: string;
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
