import type { INodeProperties } from 'n8n-workflow';

import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import { toWebhook, type Webhook } from '../../api/resources';
import type { Entry } from '../../api/types';
import { readWebhookId, webhookLocator } from '../../shared/fields';
import type { Operation, Session } from '../operation';
import { isTool, outputOf, pickFields, simplifyField, type ToOutput } from '../simplify';

/** The simplified output, the most important fields first. */
export const WEBHOOK_FIELDS = [
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

/** Call before writing, because Simplify may be invalid. An agent never sees secrets, even with Simplify off. */
export function webhookOutput({ context }: Session, itemIndex: number): ToOutput {
	const toOutput = outputOf(context, itemIndex, (entry) =>
		pickFields(toMaskedWebhook(entry), WEBHOOK_FIELDS),
	);
	return isTool(context) ? (entry) => withoutSecrets(toOutput(entry)) : toOutput;
}

function withoutSecrets(entry: Entry): Entry {
	const mask = (name: string, value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		return name === 'url' ? maskUrlSecret(value) : maskSecrets(value);
	};
	return JSON.parse(JSON.stringify(entry, mask)) as Entry;
}

/** Contract, `GET /webhooks/{id}`. */
export const getWebhook: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get a webhook',
	action: 'Get webhook',
	fields: [webhookLocator, simplifyWebhookField],
	async execute(session, itemIndex) {
		const id = readWebhookId(session.context, itemIndex);
		const toOutput = webhookOutput(session, itemIndex);
		return [toOutput(await session.service.getWebhook(id))];
	},
};
