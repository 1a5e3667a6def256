import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Operation, Session } from '../operation';
import { simplifyWebhookField, webhookOutput } from './output';

const fields: INodeProperties[] = [webhookLocator, simplifyWebhookField];

export const pauseWebhook: Operation = {
	name: 'Pause',
	value: 'pause',
	description: 'Stop delivery without deleting the webhook subscription',
	action: 'Pause webhook',
	fields,
	execute: async (session, itemIndex) => await setEnabled(session, itemIndex, false),
};

export const resumeWebhook: Operation = {
	name: 'Resume',
	value: 'resume',
	description: 'Let a paused webhook subscription deliver again',
	action: 'Resume webhook',
	fields,
	execute: async (session, itemIndex) => await setEnabled(session, itemIndex, true),
};

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
