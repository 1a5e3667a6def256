import type { INodeProperties } from 'n8n-workflow';

import { maskSecrets, maskUrlSecret } from '../../api/failures/redaction';
import type { Entry } from '../../api/data/json';
import { toWebhook, type Webhook } from '../../api/data/resources';
import { simplifyField } from '../../shared/editor/fields';
import type { OperationOutput } from '../operation';
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

/** Masks the secrets in all texts of an entry, at any depth. */
function maskEntry(entry: Entry): Entry {
	const masked = JSON.stringify(entry, (name, value: unknown) => {
		if (typeof value !== 'string') return value;
		if (name === 'url') return maskUrlSecret(value);
		return maskSecrets(value);
	});
	return JSON.parse(masked) as Entry;
}

/** For every operation that returns subscriptions. */
export const webhookOutput: OperationOutput = {
	fields: WEBHOOK_FIELDS,
	simplify: (entry) => pickFields(toMaskedWebhook(entry), WEBHOOK_FIELDS),
	mask: maskEntry,
};
