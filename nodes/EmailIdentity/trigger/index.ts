import type { IWebhookFunctions } from 'n8n-workflow';

import type { SecretScope } from '../shared/secret';
import { receiveDelivery } from './delivery/n8nWebhook';
import { createDeliveryMemory } from './delivery/stages';
import { Lifecycle } from './subscription/lifecycle';

export { showReports } from './delivery/outcomes';
export { readHookRequest, readTriggerRequest } from './subscription/hookRequest';

// All trigger nodes of a process share these.
export const lifecycle = new Lifecycle();
const deliveryMemory = createDeliveryMemory(lifecycle.states);

export const receive = async (context: IWebhookFunctions) =>
	await receiveDelivery(context, deliveryMemory);

/** The `closeFunction` of each trigger. */
export async function closeTrigger(scope: SecretScope): Promise<void> {
	const isPublished = () => lifecycle.states.isPublished(scope);
	await deliveryMemory.openDeliveries.endedBeforeStop(isPublished);
}
