import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../operation';
import { newWebhookFields } from './create';
import { webhookOutput } from './output';
import { readNewWebhook, urlField } from './parameters';

const matchedUrlField: INodeProperties = {
	...urlField,
	hint: 'The webhook with this URL, its query included, is updated. If none has it, one is created.',
};

/**
 * Makes sure that there is one subscription for a URL, as described. Done twice, or for several items with the same URL,
 * there is still one.
 */
export const upsertWebhook: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	action: 'Create or update webhook',
	fields: newWebhookFields.map((field) => (field === urlField ? matchedUrlField : field)),
	async execute(session, itemIndex) {
		const toOutput = webhookOutput(session, itemIndex);
		const { identityId = null, ...fields } = await readNewWebhook(session, itemIndex);
		const entry = await session.webhooks.ensure({ ...fields, identityId });
		return [toOutput(entry)];
	},
};
