import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { toWebhook } from '../../api/fields';
import type { WebhookChanges } from '../../api/types';
import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Session } from '../operation';
import { simplifyField, toOutput } from '../simplify';
import {
	asOptional,
	changeReceiveForField,
	chosenIdentityField,
	descriptionField,
	enabledField,
	eventsField,
	readCollection,
	readReceiveFor,
	urlField,
} from './parameters';

export const description: INodeProperties[] = [
	webhookLocator,
	changeReceiveForField,
	chosenIdentityField,
	simplifyField,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: /* @__PURE__ */ asOptional([descriptionField, enabledField, eventsField, urlField]),
	},
];

/** Changes only what was given (contract, `PATCH /webhooks/{id}`). */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const { context, service } = session;
	const id = readWebhookId(context, itemIndex);
	const identityId = readReceiveFor(session, itemIndex);
	const changes: WebhookChanges = {
		...(await readCollection(session, 'updateFields', itemIndex)),
		...(identityId === undefined ? {} : { identityId }),
	};
	if (Object.keys(changes).length === 0) {
		throw new NodeOperationError(context.getNode(), 'There is nothing to update', {
			itemIndex,
			description: 'Add at least one field under Update Fields, or choose who to receive for.',
		});
	}
	const entry = await service.updateWebhook(id, changes);
	return [toOutput(context, itemIndex, entry, toWebhook)];
}
