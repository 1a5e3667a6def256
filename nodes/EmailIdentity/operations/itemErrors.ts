import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';

export interface ItemError extends Error {
	/** The solution; absent or null if none is known. */
	description?: string | null;
	/** The HTTP status of an error of the service, as text. */
	httpCode?: string | null;
}

/** The error of one item, with the item's index, which n8n shows. Several items may share a failed request. */
export function toItemError(
	context: IExecuteFunctions,
	error: ItemError,
	itemIndex: number,
): ItemError {
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
export function toFailedJson({ message, description }: ItemError): IDataObject {
	if (!description) return { error: message };
	return { error: message, message: description };
}
