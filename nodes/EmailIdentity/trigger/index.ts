import type { IWebhookFunctions } from 'n8n-workflow';

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
