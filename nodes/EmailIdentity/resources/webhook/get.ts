import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Operation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './output';

/** Contract, `GET /webhooks/{id}`. */
export const getWebhook: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get one webhook subscription',
	action: 'Get webhook',
	fields: [webhookLocator, simplifyWebhookField],
	async execute(session, itemIndex) {
		const id = readWebhookId(session.context, itemIndex);
		const toOutput = webhookOutput(session, itemIndex);
		return [toOutput(await session.service.getWebhook(id))];
	},
};
