import { readLocator, webhookLocator } from '../../shared/editor/locators';
import type { Operation } from '../operation';

/** Contract, `DELETE /webhooks/{id}`. */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	description: 'Delete a webhook permanently',
	action: 'Delete webhook',
	fields: [webhookLocator],
	async execute(item) {
		const id = readLocator(item, webhookLocator);
		await item.queue.run(id, async () => await item.service.deleteWebhook(id));
		return [{ deleted: true }];
	},
};
