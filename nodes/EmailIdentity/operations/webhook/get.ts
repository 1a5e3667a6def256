import { readLocator, webhookLocator } from '../../shared/editor/locators';
import type { Operation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './webhookOutput';

/** Contract, `GET /webhooks/{id}`. */
export const getWebhook: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get a webhook',
	action: 'Get webhook',
	fields: [webhookLocator, simplifyWebhookField],
	output: webhookOutput,
	async execute(item) {
		const id = readLocator(item, webhookLocator);
		const webhook = await item.service.getWebhook(id);
		return [webhook];
	},
};
