import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Session } from '../operation';
import { webhookOutput } from './maskedUrl';
import {
	chosenIdentityField,
	descriptionField,
	enabledField,
	eventsField,
	readNewWebhook,
	receiveForField,
	simplifyField,
	urlField,
} from './parameters';

export const description: INodeProperties[] = [
	urlField,
	eventsField,
	receiveForField,
	chosenIdentityField,
	simplifyField,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [descriptionField, enabledField],
	},
];

/** A new subscription (contract, `POST /webhooks`); the owner is the user behind the API key. */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const toOutput = webhookOutput(session, itemIndex);
	const fields = await readNewWebhook(session, itemIndex);
	const ownerId = await session.service.ownerId();
	const entry = await session.service.createWebhook({ ...fields, ownerId });
	return [toOutput(entry)];
}
