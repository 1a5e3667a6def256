import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import type { WebhookChanges } from '../../api/types';
import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Operation, Session } from '../operation';
import { simplifyWebhookField, webhookOutput } from './output';
import {
	CHANGED_RECEIVERS,
	changeReceiveForField,
	chosenIdentityField,
	descriptionField,
	enabledField,
	eventsField,
	readOptionalFields,
	readReceiveFor,
	urlField,
} from './parameters';

/** Contract, `PATCH /webhooks/{id}`: changes only what was given. */
export const updateWebhook: Operation = {
	name: 'Update',
	value: 'update',
	description: 'Change some fields of a webhook subscription',
	action: 'Update webhook',
	fields: [
		webhookLocator,
		changeReceiveForField,
		chosenIdentityField,
		simplifyWebhookField,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			// In a collection nothing has to be filled in.
			options: [descriptionField, enabledField, eventsField, urlField].map((field) => ({
				...field,
				required: undefined,
			})),
		},
	],
	async execute(session, itemIndex) {
		const { context, service, webhooks } = session;
		const id = readWebhookId(context, itemIndex);
		const toOutput = webhookOutput(session, itemIndex);
		const entry = await webhooks.inTurn(id, async () => {
			const changes = await readChanges(session, itemIndex);
			return await service.updateWebhook(id, changes);
		});
		return [toOutput(entry)];
	},
};

async function readChanges(session: Session, itemIndex: number): Promise<WebhookChanges> {
	const { context } = session;
	const fields = context.getNodeParameter('updateFields', itemIndex, {}) as IDataObject;
	const identityId = await readReceiveFor(session, itemIndex, CHANGED_RECEIVERS);
	const changes: WebhookChanges = {
		...(await readOptionalFields(session, fields, itemIndex)),
		...(identityId === undefined ? {} : { identityId }),
	};
	if (Object.keys(changes).length > 0) return changes;
	throw new NodeOperationError(context.getNode(), 'There is nothing to update', {
		itemIndex,
		description: 'Add at least one field under Update Fields, or choose who to receive for.',
	});
}
