import type { INodeProperties } from 'n8n-workflow';

import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import type { Entry } from '../../api/json';
import { toWebhook, type Webhook } from '../../api/resources';
import { simplifyField } from '../../shared/fields';
import { readLocator, webhookLocator } from '../../shared/locators';
import type { Operation, OperationOutput } from '../runOperation';
import { pickFields } from '../output';

const WEBHOOK_FIELDS = [
	'description',
	'enabled',
	'url',
	'events',
	'identityId',
	'ownerId',
	'createdAt',
	'updatedAt',
	'id',
] as const satisfies ReadonlyArray<keyof Webhook>;

/** For every operation that returns subscriptions. */
export const simplifyWebhookField: INodeProperties = {
	...simplifyField,
	hint: "On: values in the URL's query are masked. Off: the whole URL is shown, including in saved executions.",
};

/** Masks the secret in the URL: anyone who reads it in an execution could start the workflow. */
export function toMaskedWebhook(entry: Entry): Webhook {
	const webhook = toWebhook(entry);
	return { ...webhook, url: maskUrlSecret(webhook.url) };
}

export const webhookOutput: OperationOutput = {
	fields: WEBHOOK_FIELDS,
	simplify: (entry) => pickFields(toMaskedWebhook(entry), WEBHOOK_FIELDS),
	mask(entry) {
		const mask = (name: string, value: unknown): unknown => {
			if (typeof value !== 'string') return value;
			return name === 'url' ? maskUrlSecret(value) : maskSecrets(value);
		};
		return JSON.parse(JSON.stringify(entry, mask)) as Entry;
	},
};

/** Contract, `GET /webhooks/{id}`. */
export const getWebhook: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get a webhook',
	action: 'Get webhook',
	fields: [webhookLocator, simplifyWebhookField],
	output: webhookOutput,
	execute: async (item) => [await item.service.getWebhook(readLocator(item, webhookLocator))],
};
