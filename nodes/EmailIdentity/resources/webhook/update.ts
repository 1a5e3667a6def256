import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { isMaskedUrl } from '../../api/redaction';
import type { Entry, WebhookChanges } from '../../api/types';
import { readWebhookId, webhookLocator } from '../../shared/locators';
import type { Session } from '../operation';
import { webhookOutput, unmaskUrl } from './maskedUrl';
import {
	asOptional,
	CHANGED_RECEIVERS,
	changeReceiveForField,
	chosenIdentityField,
	descriptionField,
	enabledField,
	eventsField,
	readOptionalFields,
	readReceiveFor,
	simplifyField,
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
		options: asOptional([descriptionField, enabledField, eventsField, urlField]),
	},
];

/**
 * Changes only what was given (contract, `PATCH /webhooks/{id}`). A masked URL, as outputs show it, stands for the one
 * that the subscription has.
 */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const id = readWebhookId(session.context, itemIndex);
	const toOutput = webhookOutput(session, itemIndex);
	const entry = await session.webhooks.inTurn(id, async () => await update(session, itemIndex, id));
	return [toOutput(entry)];
}

async function update(session: Session, itemIndex: number, id: string): Promise<Entry> {
	const { context, service } = session;
	const { url, ...fields } = context.getNodeParameter('updateFields', itemIndex, {}) as IDataObject;
	const keepsUrl = isMaskedUrl(String(url ?? ''));
	if (keepsUrl) {
		await unmaskUrl(session, String(url), itemIndex, async () => [await service.getWebhook(id)]);
	}
	const identityId = await readReceiveFor(session, itemIndex, CHANGED_RECEIVERS);
	const changes: WebhookChanges = {
		...(await readOptionalFields(session, keepsUrl ? fields : { ...fields, url }, itemIndex)),
		...(identityId === undefined ? {} : { identityId }),
	};
	const isChanging = Object.keys(changes).length > 0;
	if (!isChanging && !keepsUrl) {
		throw new NodeOperationError(context.getNode(), 'There is nothing to update', {
			itemIndex,
			description: 'Add at least one field under Update Fields, or choose who to receive for.',
		});
	}
	return isChanging ? await service.updateWebhook(id, changes) : await service.getWebhook(id);
}
