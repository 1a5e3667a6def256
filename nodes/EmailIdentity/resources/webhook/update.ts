import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import type { WebhookChanges } from '../../api/types';
import { readWebhookId, webhookLocator } from '../../shared/fields';
import type { Operation, Session } from '../operation';
import { simplifyWebhookField, webhookOutput } from './get';
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
export const updateWebhook: Operation = {
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
			// Fields of a collection are never required.
			options: [descriptionField, enabledField, eventsField, urlField].map((field) => ({
				...field,
				required: undefined,
			})),
		},
	],
	execute: async (session, itemIndex) => await applyChanges(session, itemIndex, readChanges),
};

export async function applyChanges(
	session: Session,
	itemIndex: number,
	read: (session: Session, itemIndex: number) => Promise<WebhookChanges>,
): Promise<IDataObject[]> {
	const { context, service, inTurn } = session;
	const id = readWebhookId(context, itemIndex);
	const toOutput = webhookOutput(session, itemIndex);
	const entry = await inTurn(
		id,
		async () => await service.updateWebhook(id, await read(session, itemIndex)),
	);
	return [toOutput(entry)];
}

async function readChanges(session: Session, itemIndex: number): Promise<WebhookChanges> {
	const identityId = await readReceiveFor(session, itemIndex, CHANGED_RECEIVERS);
	const given = session.context.getNodeParameter('updateFields', itemIndex, {}) as IDataObject;
	const changes: WebhookChanges = {
		...(await readFields(session, itemIndex, given)),
		...(identityId === undefined ? {} : { identityId }),
	};
	if (Object.keys(changes).length > 0) return changes;
	throw new NodeOperationError(session.context.getNode(), 'There is nothing to update', {
		itemIndex,
		description: 'Add at least one field under Update Fields, or change Receive For.',
	});
}
