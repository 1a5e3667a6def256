import type { IHookFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { SecretScope } from '../shared/secret';
import { createDeliveryMemory } from './delivery/deliveryHost';
import { receiveDelivery } from './delivery/n8nWebhook';
import { readDeliveryParameters } from './settings/parameters';
import { recipientWarning } from './settings/recipientWarning';
import { explain, type HookRequest } from './subscription/hookRequest';
import { Lifecycle } from './subscription/lifecycle';

export { showReports } from './delivery/editorReport';
export { readHookRequest, readTriggerRequest } from './subscription/hookRequest';

// All trigger nodes of a process share these.
export const lifecycle = new Lifecycle();
const deliveryMemory = createDeliveryMemory(lifecycle.states);

/** After publishing, says in n8n's log if the filter To names another identity. The user does not wait for it. */
export function checkRecipient(context: IHookFunctions, request: HookRequest): void {
	const { endpoint, occasion, service, log } = request;
	const isPublished = occasion === 'publish' && endpoint.listening === 'production';
	if (!isPublished) return;
	const parameters = readDeliveryParameters(context);
	void recipientWarning(parameters, service({})).then(
		(warning) => {
			if (warning !== undefined) log('warn', warning);
		},
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
