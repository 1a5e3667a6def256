import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Session } from '../operation';

export const description: INodeProperties[] = [webhookLocator];

/** Removes a subscription for good (contract, `DELETE /webhooks/{id}`). */
export async function execute(
	{ context, service, webhooks }: Session,
	itemIndex: number,
): Promise<IDataObject[]> {
	const id = readWebhookId(context, itemIndex);
	await webhooks.inTurn(id, async () => await service.deleteWebhook(id));
	return [{ deleted: true }];
}
