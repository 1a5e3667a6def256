import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './output';
import {
	chosenIdentityField,
	descriptionField,
	enabledField,
	eventsField,
	readNewWebhook,
	receiveForField,
	urlField,
} from './parameters';

/** Of Create, and of Create or Update. */
export const newWebhookFields: INodeProperties[] = [
	urlField,
	eventsField,
	receiveForField,
	chosenIdentityField,
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
	description: 'Create a new webhook subscription',
	action: 'Create webhook',
	fields: newWebhookFields,
	async execute(session, itemIndex) {
		const toOutput = webhookOutput(session, itemIndex);
		const fields = await readNewWebhook(session, itemIndex);
		const ownerId = await session.service.ownerId();
		const entry = await session.service.createWebhook({ ...fields, ownerId });
		return [toOutput(entry)];
	},
};
