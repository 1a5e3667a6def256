import { readWebhookId, webhookLocator } from '../../shared/fields';
import type { Operation } from '../operation';

/** Contract, `DELETE /webhooks/{id}`. */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	description: 'Delete a webhook permanently',
	action: 'Delete webhook',
	fields: [webhookLocator],
	async execute({ context, service, inTurn }, itemIndex) {
		const id = readWebhookId(context, itemIndex);
		await inTurn(id, async () => await service.deleteWebhook(id));
		return [{ deleted: true }];
	},
};
