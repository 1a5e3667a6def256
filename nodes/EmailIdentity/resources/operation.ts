import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { WATCHED, type RetryPolicy } from '../api/retry';
import { createService, type EmailIdentityService } from '../api/service';
import { toOwnIdentities, type OwnIdentities } from '../shared/ownIdentities';
import { IdentityRegister, WebhookRegister } from './webhook/registers';

/** What all items of one execution share. */
export interface Session {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** How many requests, and so how many items, may be under way at a time. */
	maxConcurrentRequests: number;
	/** The subscriptions by URL; read once, then kept up to date by what this execution writes. */
	webhooks: WebhookRegister;
	/** The identities that mail is to be received for; each is looked up once. */
	identities: IdentityRegister;
	/** All identities of the account, asked once; undefined when the service does not tell. */
	ownIdentities(): Promise<OwnIdentities | undefined>;
}

/** One entry of an Operation drop-down: its words, its fields and what it does. */
export interface Operation {
	name: string;
	value: string;
	description: string;
	action: string;
	/** Shown for this operation only. */
	fields: INodeProperties[];
	/**
	 * Does the operation for one input item.
	 *
	 * @returns the JSON of the output items, in their order
	 * @throws NodeApiError or NodeOperationError that says what happened and what to do
	 */
	execute(session: Session, itemIndex: number): Promise<IDataObject[]>;
}

const DEFAULT_MAX_CONCURRENT_REQUESTS = 20;

export const concurrencyOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	// These send one request, however many items there are.
	displayOptions: { hide: { resource: ['user'], operation: ['audit', 'getAll'] } },
	options: [
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MAX_CONCURRENT_REQUESTS,
			description:
				'How many requests may be under way at the same time when there are many items. Lower it for a service that refuses many at once.',
		},
	],
};

/** In these modes a person waits for the execution. */
const WATCHED_MODES: ReadonlySet<WorkflowExecuteMode> = new Set(['manual', 'chat']);

/** Opens the service for one execution. With Execute Step a dead service is tried for seconds, in production for two minutes. */
export function openSession(context: IExecuteFunctions): Session {
	const maxConcurrentRequests = readConcurrency(context);
	const retry: Partial<RetryPolicy> = WATCHED_MODES.has(context.getMode()) ? WATCHED : {};
	const service = createService(context, { shareReads: true, maxConcurrentRequests, retry });
	let asked: Promise<OwnIdentities | undefined> | undefined;
	return {
		context,
		service,
		maxConcurrentRequests,
		webhooks: new WebhookRegister(service),
		identities: new IdentityRegister(service, context),
		ownIdentities: () =>
			(asked ??= service.listIdentities().then(toOwnIdentities, () => undefined)),
	};
}

/** The first item's value counts for all. */
function readConcurrency(context: IExecuteFunctions): number {
	const options = context.getNodeParameter('options', 0, {}) as { maxConcurrentRequests?: unknown };
	const bound = Math.floor(
		Number(options.maxConcurrentRequests ?? DEFAULT_MAX_CONCURRENT_REQUESTS),
	);
	return bound >= 1 ? bound : 1;
}
