import type {
	IDataObject,
	IDisplayOptions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../api/requests/retry';
import type { Entry } from '../api/data/json';
import type { EmailIdentityService } from '../api/service';
import type { Cache, KeyedQueue } from '../../../lib/basics';
import type { ItemParameters } from '../shared/editor/fields';

/** One input item, with what all items of an execution share. Errors get the item's index from `runOperation`. */
export interface Item extends ItemParameters {
	/** The position of the item in the input, from 0. */
	index: number;
	/** Reads the credential at the first request. */
	service: EmailIdentityService;
	/** Answers for all items of the execution. */
	cache: Cache;
	/** The maximum number of requests, and so of items, at the same time. */
	maxConcurrentRequests: number;
	/**
	 * Changes the same subscription (by ID or URL) one item after another. Otherwise a repeated request could undo the change
	 * of a later item.
	 */
	queue: KeyedQueue;
}

/** An entry of an Operation drop-down. */
interface OperationEntry {
	name: string;
	value: string;
	description: string;
	action: string;
	/** When the operation can be chosen; absent: always. */
	displayOptions?: IDisplayOptions;
	/** Shown for this operation only. */
	fields: INodeProperties[];
}

/** An operation that asks the service. */
export interface ServiceOperation extends OperationEntry {
	/** How many items are worked on at the same time; absent: as many as requests. */
	maxItemsAtOnce?: number;
	/** Runs the operation for one input item. @returns the JSON of the output items, before it is simplified */
	execute(item: Item): Promise<IDataObject[]>;
	/** For operations with the field Simplify, which return entries of the service; otherwise absent. */
	output?: OperationOutput;
}

/** An operation that works on the input alone: it needs no credential, and its output may contain files. */
export interface LocalOperation extends OperationEntry {
	/** How many items are worked on at the same time, because each takes memory. */
	maxItemsAtOnce: number;
	/** Runs the operation for one input item. @returns the output items */
	toItems(item: Item): Promise<INodeExecutionData[]>;
}

/** An operation that sends emails. All items are checked before the first email is sent; then they go one after another. */
export interface SendingOperation extends OperationEntry {
	/** Reads and checks an input item. Nothing is sent, and no file stays in memory. */
	prepare(item: Item): Promise<PreparedEmail>;
}

/** An email that was checked. */
export interface PreparedEmail {
	/** Items of one run with the same key send one email. Absent: the item sends its own. */
	key?: string;
	/** Called once for a key. */
	send(): Promise<SendingResult>;
}

export interface SendingResult {
	/** The output item. */
	json: IDataObject;
	/** Why the email was not sent, for the editor; absent if it was sent. */
	hint?: string;
}

export type Operation = LocalOperation | SendingOperation | ServiceOperation;

export function isLocal(operation: Operation): operation is LocalOperation {
	return 'toItems' in operation;
}

export function isSending(operation: Operation): operation is SendingOperation {
	return 'prepare' in operation;
}

export interface OperationOutput {
	/** The fields of the simplified output, the most important first. */
	fields: readonly string[];
	simplify(entry: Entry, item: Item): IDataObject | Promise<IDataObject>;
	/** Hides secrets from an agent, in the raw data too. Absent if there are none. */
	mask?(entry: Entry): Entry;
}

/** Hidden from agents, which have few items. */
export const concurrencyField: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: MAX_CONCURRENT_REQUESTS,
	description:
		'How many requests to send at the same time. Lower it if the server limits requests.',
	displayOptions: { hide: { '@tool': [true] } },
};
