import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

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

/** The `closeFunction` of each trigger. */
export async function closeTrigger(scope: SecretScope): Promise<void> {
	const isPublished = () => lifecycle.states.isPublished(scope);
	await deliveryMemory.openDeliveries.endedBeforeStop(isPublished);
}
