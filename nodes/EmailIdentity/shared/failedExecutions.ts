import { NodeOperationError, type INode } from 'n8n-workflow';

/** Saves a failed execution, for which n8n starts the error workflow. */
type SaveFailedExecution = (error: NodeOperationError) => void;

/** By the ID of the published workflow. n8n offers this to triggers alone, in the process that runs them. */
const savers = new Map<string, SaveFailedExecution>();

/** @returns a function for when the trigger stops */
export function offerFailedExecutions(workflowId: string, save: SaveFailedExecution): () => void {
	savers.set(workflowId, save);
	return () => {
		if (savers.get(workflowId) === save) savers.delete(workflowId);
	};
}

/** Tells the error workflow of a failure that must not stop the execution. Does nothing in a worker of queue mode. */
export function failWorkflow(
	workflowId: string,
	node: INode,
	message: string,
	description: string,
): void {
	savers.get(workflowId)?.(new NodeOperationError(node, message, { description }));
}
