import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { WATCHED, type RetryPolicy } from '../api/retry';
import { createService, type EmailIdentityService } from '../api/service';
import { IdentityRegister } from './webhook/identityRegister';
import { WebhookRegister } from './webhook/webhookRegister';

/** What all items of one execution share. */
export interface Session {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** The subscriptions by URL; read once, then kept up to date by what this execution writes. */
	webhooks: WebhookRegister;
	/** The identities that mail is to be received for; each is looked up once. */
	identities: IdentityRegister;
}

/** A person started the execution in the editor, or asks an agent, and waits. */
const WATCHED_MODES: ReadonlySet<WorkflowExecuteMode> = new Set(['manual', 'chat']);

/** How long a dead service is tried: with Execute Step for seconds, in production up to two minutes. */
export function patienceIn(mode: WorkflowExecuteMode): Partial<RetryPolicy> {
	return WATCHED_MODES.has(mode) ? WATCHED : {};
}

/**
 * Opens the service for one execution of the node.
 *
 * @param maxConcurrentRequests how many requests may be under way at a time
 */
export function openSession(context: IExecuteFunctions, maxConcurrentRequests: number): Session {
	const retry = patienceIn(context.getMode());
	const service = createService(context, { shareReads: true, maxConcurrentRequests, retry });
	return {
		context,
		service,
		webhooks: new WebhookRegister(service),
		identities: new IdentityRegister(service),
	};
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
