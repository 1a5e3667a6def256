import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../api/client';
import type { Entry } from '../api/json';
import { PATIENCE } from '../api/retry';
import { EmailIdentityService } from '../api/service';
import { Cache, KeyedQueue, Limiter } from '../../../lib/basics';
import type { ItemParameters } from '../shared/fields';
import { chosenOutput, type ToJson } from './output';

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
	/** Shown for this operation only. */
	fields: INodeProperties[];
}

/** An operation that asks the service. */
export interface ServiceOperation extends OperationEntry {
	/** Runs the operation for one input item. @returns the JSON of the output items, before it is simplified */
	execute(item: Item): Promise<IDataObject[]>;
	/** For operations with the field Simplify, which return what the service sent. */
	output?: OperationOutput;
}

/** An operation that works on the input alone: it needs no credential, and its output may contain files. */
export interface LocalOperation extends OperationEntry {
	/** How many items are worked on at the same time, because each takes memory. */
	maxItemsAtOnce: number;
	/** Runs the operation for one input item. @returns the output items */
	toItems(item: Item): Promise<INodeExecutionData[]>;
}

export type Operation = LocalOperation | ServiceOperation;

export function isLocal(operation: Operation): operation is LocalOperation {
	return 'toItems' in operation;
}

export interface OperationOutput {
	/** The fields of the simplified output, the most important first. */
	fields: readonly string[];
	simplify(entry: Entry, item: Item): IDataObject | Promise<IDataObject>;
	/** Hides secrets from an agent, in the raw data too. */
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

/** In these modes, a user is waiting. */
const EDITOR_MODES = ['manual', 'chat'];

/** What all items share. */
type Session = Omit<Item, 'index' | 'parameter'>;

function openSession(context: IExecuteFunctions): Session {
	const maxConcurrentRequests = readMaxConcurrentRequests(context);
	const retry = EDITOR_MODES.includes(context.getMode()) ? PATIENCE.editor : {};
	return {
		context,
		service: new EmailIdentityService(context, { shareReads: true, maxConcurrentRequests, retry }),
		maxConcurrentRequests,
		queue: new KeyedQueue(),
		cache: new Cache(),
	};
}

/** The first item's value counts for all. */
function readMaxConcurrentRequests(context: IExecuteFunctions): number {
	const given = ['options', 'auditOptions']
		.map((collection) => context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null))
		.find((value) => value !== null);
	const limit = Math.floor(Number(given ?? MAX_CONCURRENT_REQUESTS));
	return Math.max(1, limit || 1);
}

/**
 * Runs an operation for every input item, several at a time. The output is in the order of the input.
 *
 * @throws the error of the first failed item, unless the node continues on failure; no more items are started then
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const session = openSession(context);
	const signal = context.getExecutionCancelSignal();
	const maxItems = isLocal(operation) ? operation.maxItemsAtOnce : session.maxConcurrentRequests;
	const limiter = new Limiter(maxItems);
	let isStopped = false;

	const runItem = async (index: number): Promise<Error | INodeExecutionData[]> => {
		const pairedItem = { item: index };
		if (isStopped || signal?.aborted) return [];
		const item: Item = {
			...session,
			index,
			parameter: (name, fallback) => context.getNodeParameter(name, index, fallback),
		};
		try {
			const results = await execute(operation, item);
			return results.map((result) => ({ ...result, pairedItem }));
		} catch (error) {
			const itemError = toItemError(context, error as Error, index);
			if (context.continueOnFail()) return [{ json: toFailedJson(itemError), pairedItem }];
			isStopped = true;
			return itemError;
		}
	};

	const runs = context
		.getInputData()
		.map(async (_item, index) => await limiter.run(async () => await runItem(index)));
	const results = await Promise.all(runs);
	return results.flatMap((result) => {
		if (result instanceof Error) throw result;
		return result;
	});
}

async function execute(operation: Operation, item: Item): Promise<INodeExecutionData[]> {
	if (isLocal(operation)) return await operation.toItems(item);
	return await askService(operation, item);
}

async function askService(operation: ServiceOperation, item: Item): Promise<INodeExecutionData[]> {
	// Read before anything is written, because Simplify may be invalid.
	const toJson = readToJson(operation, item);
	const entries = await operation.execute(item);
	const results = await Promise.all(entries.map(toJson));
	return results.map((json) => ({ json }));
}

function readToJson({ output }: ServiceOperation, item: Item): ToJson {
	if (output === undefined) return (entry) => entry;
	const simplify: ToJson = async (entry) => await output.simplify(entry, item);
	return chosenOutput(item, simplify, output.mask);
}

interface Explained extends Error {
	/** What to do about it; absent or null if nothing is known. */
	description?: string | null;
	/** The HTTP status of an error of the service, as text. */
	httpCode?: string | null;
}

/** The error of one item, with the item's index, which n8n shows. Several items may share a failed request. */
function toItemError(context: IExecuteFunctions, error: Explained, itemIndex: number): Explained {
	const { message } = error;
	const description = error.description ?? undefined;
	const node = context.getNode();
	if (error instanceof NodeApiError) {
		const httpCode = error.httpCode ?? undefined;
		return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	}
	const cause = error instanceof NodeOperationError ? message : error;
	return new NodeOperationError(node, cause, { description, itemIndex });
}

/**
 * The output of a failed item when the node continues.
 *
 * n8n recognises a failed item by its keys (`handleNodeErrorOutput`). Both versions accept only these two: 2.x also accepts
 * `details`, but 1.x treats an item with any other key as successful. On the error output, n8n adds the fields of the input
 * item.
 */
function toFailedJson({ message, description }: Explained): IDataObject {
	if (!description) return { error: message };
	return { error: message, message: description };
}
