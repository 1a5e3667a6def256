import type { IHookFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { SecretScope } from '../shared/secret';
import { receiveDelivery } from './delivery/n8nWebhook';
import { createDeliveryMemory } from './delivery/stages';
import { readDeliveryParameters } from './settings/parameters';
import { recipientWarning } from './settings/recipientWarning';
import { explain, readHookRequest } from './subscription/hookRequest';
import { Lifecycle } from './subscription/lifecycle';

export { showReports } from './delivery/outcomes';
export { readHookRequest, readTriggerRequest } from './subscription/hookRequest';

// All trigger nodes of a process share these.
export const lifecycle = new Lifecycle();
const deliveryMemory = createDeliveryMemory(lifecycle.states);

export async function publishOrListen(context: IHookFunctions): Promise<void> {
	const request = readHookRequest(context);
	await lifecycle.create(request);
	const isPublished = request.occasion === 'publish' && request.endpoint.listening === 'production';
	if (!isPublished) return;
	// The user does not wait for a line in the log.
	const { service, log } = request;
	void recipientWarning(readDeliveryParameters(context), service({})).then(
		(warning) => warning && log('warn', warning),
		(error: unknown) => log('info', `the filter 'To' could not be checked. ${explain(error)}`),
	);
}

export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receiveDelivery(context, deliveryMemory);
}

/** The `closeFunction` of each trigger. */
export async function closeTrigger(scope: SecretScope): Promise<void> {
	const isPublished = () => lifecycle.states.isPublished(scope);
	await deliveryMemory.openDeliveries.endedBeforeStop(isPublished);
}
