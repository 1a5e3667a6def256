import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Operation } from '../operation';

/** Contract, `DELETE /webhooks/{id}`. */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	description: 'Delete a webhook subscription permanently',
	action: 'Delete webhook',
	fields: [webhookLocator],
	async execute({ context, service, webhooks }, itemIndex) {
		const id = readWebhookId(context, itemIndex);
		await webhooks.inTurn(id, async () => await service.deleteWebhook(id));
		return [{ deleted: true }];
	},
};
