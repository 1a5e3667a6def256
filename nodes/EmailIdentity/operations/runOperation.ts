import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import type { Entry } from '../api/json';
import { Turns } from '../../../lib/basics';
import { openSession, readSwitch, type Item } from './item';
import { pickFields } from './simplifyFields';

/** An entry of an Operation drop-down. */
export interface Operation {
	name: string;
	value: string;
	description: string;
	action: string;
	/** Shown for this operation only. */
	fields: INodeProperties[];
	/** Runs the operation for one input item. @returns the JSON of the output items, before it is simplified */
	execute(item: Item): Promise<IDataObject[]>;
	/** For operations with the field Simplify, which return what the service sent. */
	output?: OperationOutput;
}

export interface OperationOutput {
	/** The fields of the simplified output, the most important first. */
	fields: readonly string[];
	simplify(entry: Entry, item: Item): IDataObject | Promise<IDataObject>;
	/** Hides secrets from an agent, in the raw data too. */
	mask?(entry: Entry): Entry;
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
	const turns = new Turns(session.maxConcurrentRequests);
	let isStopped = false;

	const runItem = async (index: number): Promise<Error | INodeExecutionData[]> => {
		const pairedItem = { item: index };
		if (isStopped || signal?.aborted) return [];
		const item: Item = {
			...session,
			parameter: (name, fallback) => context.getNodeParameter(name, index, fallback),
		};
		try {
			// Before anything is written, because Simplify may be invalid.
			const toJson = outputOf(item, operation);
			const output = await Promise.all((await operation.execute(item)).map(toJson));
			return output.map((json) => ({ json, pairedItem }));
		} catch (error) {
			const itemError = toItemError(context, error as Error, index);
			if (context.continueOnFail()) return [{ json: toFailedJson(itemError), pairedItem }];
			isStopped = true;
			return itemError;
		}
	};
	const results = await Promise.all(
		context
			.getInputData()
			.map(async (_item, index) => await turns.run(async () => await runItem(index))),
	);
	return results.flatMap((result) => {
		if (result instanceof Error) throw result;
		return result;
	});
}

/** @throws NodeOperationError when Simplify is not a boolean, because the raw data may contain secrets */
function outputOf(
	item: Item,
	{ output }: Operation,
): (entry: Entry) => IDataObject | Promise<IDataObject> {
	if (output === undefined) return (entry) => entry;
	const { context, parameter } = item;
	const { simplify, mask = (entry) => entry } = output;
	// n8n adds this suffix to the type of a node that is a tool of an AI agent.
	if (!context.getNode().type.endsWith('Tool')) {
		const isSimplified = readSwitch(item, 'Simplify', parameter('simplify'));
		return isSimplified ? (entry) => simplify(entry, item) : (entry) => entry;
	}
	const choice = parameter('output', 'simple');
	if (choice === 'raw') return mask;
	const chosen = [parameter('fields', [])].flat();
	const isChosen = (field: string) => choice !== 'fields' || chosen.includes(field);
	return async (entry) => {
		const json = mask(await simplify(entry, item));
		return pickFields(json, Object.keys(json).filter(isChosen));
	};
}

interface Explained extends Error {
	description?: string | null;
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
	return { error: message, ...(description ? { message: description } : {}) };
}
