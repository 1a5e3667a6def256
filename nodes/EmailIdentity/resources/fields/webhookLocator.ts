import type { IExecuteFunctions } from 'n8n-workflow';

import { locatorField, readLocator } from './locator';

const NAME = 'webhookId';

/** Points to one webhook subscription. */
export const webhookLocator = /* @__PURE__ */ locatorField({
	displayName: 'Webhook',
	name: NAME,
	description: 'The webhook subscription to use',
	searchListMethod: 'searchWebhooks',
});

/**
 * The ID of the chosen webhook subscription.
 *
 * @throws NodeOperationError when there is none
 */
export function readWebhookId(context: IExecuteFunctions, itemIndex: number): string {
	return readLocator(context, NAME, itemIndex, 'webhook');
}
