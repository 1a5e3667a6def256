import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Session } from '../operation';
import { webhookOutput } from './maskedUrl';
import { simplifyField } from './parameters';

/** The fields of both operations. */
export const description: INodeProperties[] = [webhookLocator, simplifyField];

/** Stops delivery until the subscription is resumed. */
export async function pause(session: Session, itemIndex: number): Promise<IDataObject[]> {
	return await setEnabled(session, itemIndex, false);
}

/** Lets delivery of a paused subscription go on. */
export async function resume(session: Session, itemIndex: number): Promise<IDataObject[]> {
	return await setEnabled(session, itemIndex, true);
}

/** Switches delivery on or off (contract, section 3); the subscription itself stays. */
async function setEnabled(
	session: Session,
	itemIndex: number,
	enabled: boolean,
): Promise<IDataObject[]> {
	const { context, service, webhooks } = session;
	const id = readWebhookId(context, itemIndex);
	const toOutput = webhookOutput(session, itemIndex);
	const entry = await webhooks.inTurn(id, async () => await service.updateWebhook(id, { enabled }));
	return [toOutput(entry)];
}
