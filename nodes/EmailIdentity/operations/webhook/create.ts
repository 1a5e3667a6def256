import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './webhookOutput';
import {
	descriptionField,
	enabledField,
	eventsField,
	readNewWebhook,
	RECEIVERS,
	receiveForFields,
	urlField,
} from './parameters';

/** The fields of Create and of Create or Update, after the URL. */
export const newWebhookFields: INodeProperties[] = [
	eventsField,
	...receiveForFields(RECEIVERS),
	simplifyWebhookField,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [descriptionField, enabledField],
	},
];

/** Contract, `POST /webhooks`. */
export const createWebhook: Operation = {
	name: 'Create',
	value: 'create',
	description: 'Create a webhook',
	action: 'Create webhook',
	fields: [urlField, ...newWebhookFields],
	output: webhookOutput,
	async execute(item) {
		const wanted = await readNewWebhook(item);
		const ownerId = await item.service.ownerId();
		const created = await item.service.createWebhook({ ...wanted, ownerId });
		return [created];
	},
};
