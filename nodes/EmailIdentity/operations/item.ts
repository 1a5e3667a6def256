import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { readFlag, readId } from '../api/resources';
import { WATCHED } from '../api/retry';
import { createService, type EmailIdentityService } from '../api/service';
import { createKeyedQueue, createMemory, type KeyedQueue, type Memory } from '../../../lib/basics';
import { identityLocator, webhookLocator } from '../shared/fields';

/** Shared by all items of an execution, as are the answers to the same question. */
export interface Session extends Memory {
	context: IExecuteFunctions;
	service: EmailIdentityService;
	/** The maximum number of requests, and so of items, at the same time. */
	maxConcurrentRequests: number;
	/**
	 * Changes the same subscription (by ID or URL) one item after another. Otherwise a repeated request could undo the change
	 * of a later item.
	 */
	inTurn: KeyedQueue;
}

/** One input item, with what an operation needs for it. Errors get the item's index from `runOperation`. */
export interface Item extends Session {
	/** The value of a parameter for this item. */
	parameter(name: string, fallback?: unknown): unknown;
}

const DEFAULT_MAX_CONCURRENT_REQUESTS = 20;

/** Hidden from agents, which have few items. */
export const concurrencyField: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_MAX_CONCURRENT_REQUESTS,
	description:
		'How many requests to send at the same time. Lower it if the server limits requests.',
	displayOptions: { hide: { '@tool': [true] } },
};

/** In these modes, a user is waiting: failed requests are repeated for seconds, not for two minutes as in production. */
const WATCHED_MODES = ['manual', 'chat'];

export function openSession(context: IExecuteFunctions): Session {
	const bound = ['options', 'auditOptions']
		.map((collection) => context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null))
		.find((given) => given !== null);
	// The first item's value counts for all.
	const given = Math.floor(Number(bound ?? DEFAULT_MAX_CONCURRENT_REQUESTS));
	const maxConcurrentRequests = Math.max(1, given || 1);
	const retry = WATCHED_MODES.includes(context.getMode()) ? WATCHED : {};
	return {
		context,
		service: createService(context, { shareReads: true, maxConcurrentRequests, retry }),
		maxConcurrentRequests,
		inTurn: createKeyedQueue(),
		...createMemory(),
	};
}

/** @throws NodeOperationError when none is chosen */
export const readIdentityId = (item: Item): string => readLocator(item, identityLocator);

export const readWebhookId = (item: Item): string => readLocator(item, webhookLocator);

function readLocator({ context, parameter }: Item, { name, displayName }: INodeProperties): string {
	// An expression for the whole field returns the ID itself.
	const given = parameter(name, '');
	const entered =
		typeof given === 'object' ? ((given as { value?: unknown } | null)?.value ?? '') : given;
	const id = readId(entered);
	if (id !== undefined) return id;
	const located = displayName.toLowerCase();
	throw new NodeOperationError(context.getNode(), `No valid ${located} is selected`, {
		description: `Choose the ${located} from the list, or enter its ID or a URL that ends in the ID.`,
	});
}

/**
 * n8n does not convert the value of an expression, such as `TRUE` from a spreadsheet or 1.
 *
 * @param label the switch's name in the editor
 * @throws NodeOperationError when the value is neither true nor false
 */
export function readSwitch({ context }: Item, label: string, value: unknown): boolean {
	const flag = readFlag(value);
	if (flag !== null) return flag;
	throw new NodeOperationError(context.getNode(), `${label} must be true or false`, {
		description: 'Set it to a fixed value, or use an expression that returns true or false.',
	});
}
