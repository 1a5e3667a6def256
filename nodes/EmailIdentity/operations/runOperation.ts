import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS, PATIENCE } from '../api/requests/retry';
import { Cache, KeyedQueue, Limiter } from '../../../lib/basics';
import { isLocal, type Item, type Operation, type ServiceOperation } from './operation';
import { chosenOutput, type ToJson } from './output';

/** In these modes, a user is waiting. */
const EDITOR_MODES = ['manual', 'chat'];

/** The part of an item that all items share. */
type Session = Omit<Item, 'index' | 'parameter'>;

async function openSession(context: IExecuteFunctions): Promise<Session> {
	const { EmailIdentityService } = await import('../api/service');
	const maxConcurrentRequests = readMaxConcurrentRequests(context);
	const isInEditor = EDITOR_MODES.includes(context.getMode());
	const service = new EmailIdentityService(context, {
		shareReads: true,
		maxConcurrentRequests,
		retry: isInEditor ? PATIENCE.editor : {},
	});
	return {
		context,
		service,
		maxConcurrentRequests,
		queue: new KeyedQueue(),
		cache: new Cache(),
	};
}

/** The first item's value counts for all. */
function readMaxConcurrentRequests(context: IExecuteFunctions): number {
	for (const collection of ['options', 'auditOptions']) {
		const given = context.getNodeParameter(`${collection}.maxConcurrentRequests`, 0, null);
		if (given === null || given === undefined) continue;
		const limit = Math.floor(Number(given));
		return Math.max(1, limit || 1);
	}
	return MAX_CONCURRENT_REQUESTS;
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
	const session = await openSession(context);
	const signal = context.getExecutionCancelSignal();
	const limiter = new Limiter(operation.maxItemsAtOnce ?? session.maxConcurrentRequests);
	let isStopped = false;

	async function runItem(index: number): Promise<Error | INodeExecutionData[]> {
		if (isStopped || signal?.aborted) return [];
		const pairedItem = { item: index };
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
	}

	const items = context.getInputData();
	const runs = items.map(
		async (_item, index) => await limiter.run(async () => await runItem(index)),
	);
	const results = await Promise.all(runs);
	return results.flatMap((result) => {
		if (result instanceof Error) throw result;
		return result;
	});
}

async function execute(operation: Operation, item: Item): Promise<INodeExecutionData[]> {
	if (isLocal(operation)) return await operation.toItems(item);
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
	/** The solution; absent or null if none is known. */
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
