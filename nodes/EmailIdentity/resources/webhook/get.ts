import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Session } from '../operation';
import { webhookOutput } from './maskedUrl';
import { simplifyField } from './parameters';

export const description: INodeProperties[] = [webhookLocator, simplifyField];

/** One subscription by its ID (contract, `GET /webhooks/{id}`). */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const id = readWebhookId(session.context, itemIndex);
	const toOutput = webhookOutput(session, itemIndex);
	return [toOutput(await session.service.getWebhook(id))];
}
