import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import type { Entry } from '../../api/data/json';
import type { WebhookChanges } from '../../api/data/resources';
import { readLocator, webhookLocator } from '../../shared/editor/locators';
import type { Item, ServiceOperation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './webhookOutput';
import {
	CHANGED_RECEIVERS,
	descriptionField,
	enabledField,
	eventsField,
	readFields,
	readReceiveFor,
	receiveForFields,
	urlField,
} from './parameters';

/** Contract, `PATCH /webhooks/{id}`: changes only the given fields. */
export const updateWebhook: ServiceOperation = {
	name: 'Update',
	value: 'update',
	description: 'Update a webhook',
	action: 'Update webhook',
	fields: [
		webhookLocator,
		...receiveForFields(CHANGED_RECEIVERS),
		simplifyWebhookField,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [descriptionField, enabledField, eventsField, urlField].map(toOptional),
		},
	],
	output: webhookOutput,
	execute: async (item) => await applyChanges(item, readChanges),
};

/** Fields of a collection are never required. */
function toOptional(field: INodeProperties): INodeProperties {
	return { ...field, required: undefined };
}

/** Reads the changes when it is the item's turn, then applies them. */
async function applyChanges(
	item: Item,
	read: (item: Item) => Promise<WebhookChanges>,
): Promise<Entry[]> {
	const id = readLocator(item, webhookLocator);
	return await item.queue.run(id, async () => {
		const changes = await read(item);
		const updated = await item.service.updateWebhook(id, changes);
		return [updated];
	});
}

async function readChanges(item: Item): Promise<WebhookChanges> {
	const identityId = await readReceiveFor(item, CHANGED_RECEIVERS);
	const given = item.parameter('updateFields', {}) as IDataObject;
	const changes: WebhookChanges = await readFields(item, given);
	if (identityId !== undefined) changes.identityId = identityId;
	if (Object.keys(changes).length > 0) return changes;
	throw new NodeOperationError(item.context.getNode(), 'There is nothing to update', {
		description: "Add at least one field under 'Update Fields', or change 'Receive For'.",
	});
}

export const pauseWebhook: ServiceOperation = {
	name: 'Pause',
	value: 'pause',
	description: 'Stop deliveries without deleting the webhook',
	action: 'Pause webhook',
	fields: [webhookLocator, simplifyWebhookField],
	output: webhookOutput,
	execute: async (item) => await applyChanges(item, async () => ({ enabled: false })),
};

export const resumeWebhook: ServiceOperation = {
	name: 'Resume',
	value: 'resume',
	description: 'Resume deliveries of a paused webhook',
	action: 'Resume webhook',
	fields: [webhookLocator, simplifyWebhookField],
	output: webhookOutput,
	execute: async (item) => await applyChanges(item, async () => ({ enabled: true })),
};
