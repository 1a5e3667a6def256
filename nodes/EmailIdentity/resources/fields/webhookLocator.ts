import { locatorField } from './locator';

/** Points to one webhook subscription. */
export const webhookLocator = locatorField({
	displayName: 'Webhook',
	name: 'webhookId',
	description: 'The webhook subscription to use',
	searchListMethod: 'searchWebhooks',
});
