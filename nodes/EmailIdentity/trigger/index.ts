import type { ITriggerFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { offerFailedExecutions } from '../shared/failedExecutions';
import type { SecretScope } from '../shared/secret';
import { createDeliveryMemory } from './delivery/deliveryHost';
import { receiveDelivery } from './delivery/n8nWebhook';
import { Lifecycle } from './hooks/lifecycle';

export { showReports } from './delivery/editorReport';
export { checkRecipient } from './hooks/checkRecipient';
export { readHookRequest, readTriggerRequest } from './hooks/readRequest';

// All trigger nodes of a process share these.
export const lifecycle = new Lifecycle();
const deliveryMemory = createDeliveryMemory(lifecycle.states);

export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receiveDelivery(context, deliveryMemory);
}

/** For failures of other nodes of the workflow that must not stop an execution. @returns a function for when the trigger stops */
export function offerReports(context: ITriggerFunctions): () => void {
	const { id = '' } = context.getWorkflow();
	return offerFailedExecutions(id, (error) => context.saveFailedExecution?.(error));
}

/** The `closeFunction` of each trigger. */
export async function closeTrigger(scope: SecretScope): Promise<void> {
	const isPublished = () => lifecycle.states.isPublished(scope);
	await deliveryMemory.openDeliveries.endedBeforeStop(isPublished);
}
