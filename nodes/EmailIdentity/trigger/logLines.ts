import type { INode, IWorkflowMetadata } from 'n8n-workflow';

/** How a log line of a trigger begins. It names the workflow, because n8n shows metadata on the console only at log level debug. */
export function nameInLog(context: {
	getNode(): Pick<INode, 'name'>;
	getWorkflow(): IWorkflowMetadata;
}): string {
	const { id, name = id } = context.getWorkflow();
	return `Email Identity Trigger "${context.getNode().name}" of workflow "${name}"`;
}
