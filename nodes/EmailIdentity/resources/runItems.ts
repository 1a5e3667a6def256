import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { readConcurrency } from './concurrency';
import { resources } from './index';
import { toFailedItem, toItemError } from './itemErrors';
import { openSession, type Operation } from './operation';
import { selectFields } from './simplify';

/**
 * Does the chosen operation for every input item, several at a time.
 *
 * @returns the output items in the order of the input, each paired with the item it came from. A failed
 * item gives one item with its error when the node continues on failure
 * @throws the error of the first failed item, in the order of the input, when it does not; the items after
 * it that had not begun are left alone
 */
export async function runItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const execute = chosenOperation(context);
	const bound = readConcurrency(context);
	const session = openSession(context, bound);
	const signal = context.getExecutionCancelSignal();
	const continues = context.continueOnFail();
	const items = context.getInputData();
	const results = new Array<INodeExecutionData[]>(items.length);
	const failures = new Map<number, Error>();
	let next = 0;

	const runItem = async (itemIndex: number): Promise<void> => {
		try {
			const output = selectFields(context, itemIndex, await execute(session, itemIndex));
			results[itemIndex] = output.map((json) => ({ json, pairedItem: { item: itemIndex } }));
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
	await Promise.all(Array.from({ length: Math.min(bound, items.length) }, worker));

	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	return results.flat();
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const chosen = resources[resource]?.[operation];
	if (chosen !== undefined) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${operation}" for the resource "${resource}"`,
		{ description: 'Choose the resource and the operation again.' },
	);
}
