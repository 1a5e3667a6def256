import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Limiter } from '../../../lib/basics';
import { toFailedJson, toItemError } from './itemErrors';
import {
	isLocal,
	isSending,
	type Item,
	type LocalOperation,
	type Operation,
	type ServiceOperation,
} from './operation';
import { chosenOutput, type ToJson } from './output';
import { sendInOrder } from './sendInOrder';
import { itemAt, openSession, type Session } from './session';

/** An operation that works on several items at a time. */
type ConcurrentOperation = LocalOperation | ServiceOperation;

/** Runs an operation for every input item. The output is in the order of the input. */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const session = await openSession(context);
	if (isSending(operation)) return await sendInOrder(session, operation);
	return await runConcurrently(session, operation);
}

/** @throws the error of the first failed item, unless the node continues on failure; no more items are started then */
async function runConcurrently(
	session: Session,
	operation: ConcurrentOperation,
): Promise<INodeExecutionData[]> {
	const { context } = session;
	const signal = context.getExecutionCancelSignal();
	const limiter = new Limiter(operation.maxItemsAtOnce ?? session.maxConcurrentRequests);
	let isStopped = false;

	async function runItem(index: number): Promise<Error | INodeExecutionData[]> {
		if (isStopped || signal?.aborted) return [];
		const pairedItem = { item: index };
		try {
			const results = await execute(operation, itemAt(session, index));
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

async function execute(operation: ConcurrentOperation, item: Item): Promise<INodeExecutionData[]> {
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
