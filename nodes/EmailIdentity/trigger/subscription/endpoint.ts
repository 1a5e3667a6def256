import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { readOptions } from '../options';
import { secretScope } from '../secret';

/** Which node of which n8n it is. Survives renaming. */
export interface NodeIdentity {
	instanceId: string;
	/** n8n builds the node's addresses on it. */
	webhookPath: string;
}

/** Where a node is reached. Does not change while n8n runs. */
export interface Endpoint extends NodeIdentity {
	/** n8n's address for the node, without the secret: the test address while it listens for a test event. */
	address: string;
	/** The gateway that production deliveries go to, and that hands them on to the address; empty for none. */
	deliveryUrl: string;
	/** How a person finds the node in n8n. */
	name: string;
}

/** Reads which node a context is for. */
export function readNodeIdentity(context: IHookFunctions | ITriggerFunctions): NodeIdentity {
	const { instanceId, webhookPath } = secretScope(context, 'production');
	return { instanceId, webhookPath };
}

/** One text for one node of one n8n. */
export function nodeKey({ instanceId, webhookPath }: NodeIdentity): string {
	return `${instanceId} ${webhookPath}`;
}

/** Reads where n8n is to be delivered to. */
export function readEndpoint(context: IHookFunctions): Endpoint {
	const workflow = context.getWorkflow();
	return {
		address: context.getNodeWebhookUrl('default') ?? '',
		deliveryUrl: readOptions(context).deliveryUrl,
		...readNodeIdentity(context),
		name: `${workflow.name ?? workflow.id ?? ''} / ${context.getNode().name}`,
	};
}
