import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

/**
 * The error of one item, with the item's number, which n8n shows beside the message.
 *
 * @param error may be that of a request that several items share: each gets an error of its own
 */
export function toItemError(context: IExecuteFunctions, error: unknown, itemIndex: number): Error {
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
 * n8n knows a failed item by its keys (`handleNodeErrorOutput`). These two are the only ones that both of its lines know:
 * 2.x takes `details`, too, while with 1.x an item that has anything else goes on as if it had not failed. On the error
 * output n8n adds the fields of the input item.
 */
export function toFailedItem(error: Error, itemIndex: number): INodeExecutionData {
	const { description } = error as { description?: string | null };
	return {
		json: { error: error.message, ...(description ? { message: description } : {}) },
		pairedItem: { item: itemIndex },
	};
}
