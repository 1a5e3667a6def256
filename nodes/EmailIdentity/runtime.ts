import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { receiveDelivery as receive } from './trigger/delivery/door';
import { createDeliveryMemory } from './trigger/delivery/memory';
import { Restrictions } from './trigger/restriction';
import { createLifecycle } from './trigger/subscription/lifecycle';

/**
 * What the nodes do, as opposed to what the editor shows of them. n8n requires the node files at every start, in each of
 * its processes; this is loaded when one of them is first used.
 */
export { emailIdentityApiTest } from './api/credentialTest';
export { searchIdentities, searchWebhooks } from './listSearch';
export { runItems } from './resources/runItems';
export { throwWhyNotStarted } from './trigger/delivery/whyNotStarted';

const restrictions = new Restrictions();

/** One for all trigger nodes: it remembers what this process listens for. */
export const lifecycle = createLifecycle({ restrictions });

const deliveryMemory = createDeliveryMemory(restrictions);

export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(context, deliveryMemory);
}
