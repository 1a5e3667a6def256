import type {
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { receiveDelivery } from './delivery/n8nWebhook';
import { createDeliveryMemory } from './delivery/stages';
import { readHookRequest, readTriggerRequest } from './subscription/hookRequest';
import { Lifecycle } from './subscription/lifecycle';

export { showReports } from './delivery/outcomes';

// All trigger nodes of a process share these.
const lifecycle = new Lifecycle();
const deliveryMemory = createDeliveryMemory(lifecycle.states);

export async function activate(context: IHookFunctions): Promise<boolean> {
	await lifecycle.create(readHookRequest(context));
	return true;
}

export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await lifecycle.remove(readHookRequest(context));
	return true;
}

export function watch(context: ITriggerFunctions): void {
	lifecycle.trigger(readTriggerRequest(context));
}

export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receiveDelivery(context, deliveryMemory);
}
