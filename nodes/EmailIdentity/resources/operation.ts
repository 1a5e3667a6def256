import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { createService, type EmailIdentityService } from '../api/service';
import { WebhookRegister } from './webhook/register';

/** What all items of one execution share. */
export interface Session {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** The subscriptions by URL; read once, then kept up to date by what this execution writes. */
	webhooks: WebhookRegister;
}

/**
 * Opens the service for one execution of the node.
 *
 * @param maxConcurrentRequests how many requests may be under way at a time
 */
export function openSession(context: IExecuteFunctions, maxConcurrentRequests: number): Session {
	const service = createService(context, { shareReads: true, maxConcurrentRequests });
	return { context, service, webhooks: new WebhookRegister(service) };
}

/**
 * Does what one entry of an Operation drop-down says, for one input item.
 *
 * @returns the JSON of the output items, in their order
 * @throws NodeApiError or NodeOperationError that says what happened and what to do
 */
export type Operation = (session: Session, itemIndex: number) => Promise<IDataObject[]>;

/** The operations of a resource, by the value in the drop-down. */
export type Operations = Record<string, Operation>;

/** What the user fills in for each of them; shown for that operation only. */
export type DescriptionsOf<Names extends Operations> = Record<keyof Names, INodeProperties[]>;
