import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { RESOURCES } from './index';
import { openSession, type Operation } from './operation';
import { selectFields } from './simplify';

/**
 * Does the chosen operation for every input item, several at a time.
 *
 * @returns the output items in the order of the input, each paired with the item it came from. When the node continues on
 * failure, a failed item gives one item with its error
 * @throws the error of the first failed item, in the order of the input, when the node does not continue on failure; no
 * further item begins then
 */
export async function runItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = chosenOperation(context);
	const session = openSession(context);
	const signal = context.getExecutionCancelSignal();
	const continues = context.continueOnFail();
	const items = context.getInputData();
	const results = new Array<INodeExecutionData[]>(items.length);
	const failures = new Map<number, Error>();
	let next = 0;

	const runItem = async (itemIndex: number): Promise<void> => {
		try {
			const output = await operation.execute(session, itemIndex);
			const pairedItem = { item: itemIndex };
			results[itemIndex] = selectFields(context, itemIndex, output).map((json) => ({
				...{ json, pairedItem },
			}));
		} catch (error) {
			const itemError = toItemError(context, error, itemIndex);
			if (continues) results[itemIndex] = [toFailedItem(itemError, itemIndex)];
			else failures.set(itemIndex, itemError);
		}
	};
	const worker = async (): Promise<void> => {
		while (next < items.length && failures.size === 0 && signal?.aborted !== true) {
			await runItem(next++);
		}
	};
	const workers = Math.min(session.maxConcurrentRequests, items.length);
	await Promise.all(Array.from({ length: workers }, worker));

	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	return results.flat();
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const chosen = RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
	if (chosen !== undefined) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${operation}" for the resource "${resource}"`,
		{ description: 'Choose the resource and the operation again.' },
	);
}

/**
 * The error of one item, with the item's number, which n8n shows beside the message.
 *
 * @param error may come from a request that several items share, so each item gets an error of its own
 */
function toItemError(context: IExecuteFunctions, error: unknown, itemIndex: number): Error {
	const node = context.getNode();
	if (error instanceof NodeApiError) {
		const { message, description, httpCode } = error;
		const details = { description: description ?? undefined, httpCode: httpCode ?? undefined };
		return new NodeApiError(node, {}, { message, ...details, itemIndex });
	}
	if (error instanceof NodeOperationError) {
		const { message, description } = error;
		return new NodeOperationError(node, message, {
			description: description ?? undefined,
			itemIndex,
		});
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(node, cause, { itemIndex });
}

/**
 * What a failed item gives when the node continues: what happened, and what to do about it.
 *
 * n8n knows a failed item by its keys (`handleNodeErrorOutput`). Only these two are known to both of its lines: 2.x takes
 * `details`, too, while 1.x treats an item that has anything else as one that did not fail. On the error output n8n adds
 * the fields of the input item.
 */
function toFailedItem(error: Error, itemIndex: number): INodeExecutionData {
	const { description } = error as { description?: string | null };
	return {
		json: { error: error.message, ...(description ? { message: description } : {}) },
		pairedItem: { item: itemIndex },
	};
}
