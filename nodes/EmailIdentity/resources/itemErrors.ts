import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

/** The error of one item, with the item's number, which n8n shows beside the message. */
export function toItemError(context: IExecuteFunctions, error: unknown, itemIndex: number): Error {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(context.getNode(), cause, { itemIndex });
}

/**
 * What a failed item gives when the node continues. n8n sends an item with no other keys than these to the
 * error output, with the input item's fields beside them.
 */
export function toFailedItem(error: Error, itemIndex: number): INodeExecutionData {
	const { description } = error as { description?: string | null };
	return {
		json: { error: error.message, ...(description ? { details: description } : {}) },
		pairedItem: { item: itemIndex },
	};
}
