import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import { toWebhook } from '../../api/resources';
import type { Entry, Webhook } from '../../api/types';
import type { Session } from '../operation';
import { isTool, outputOf, pickFields, simplifyField, type ToOutput } from '../simplify';

/** The simplified output: what people look at, first things first. */
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

/** Of every operation that shows subscriptions. */
export const simplifyWebhookField = {
	...simplifyField,
	hint: "On: the values in the URL's query are masked, as they may be secrets. Off: the URL is shown whole, also in the saved execution.",
};

/**
 * A subscription with the secret in its URL masked: with it, everybody who reads the execution, and every AI agent, could
 * start the workflow that the URL belongs to.
 */
export function toMaskedWebhook(entry: Entry): Webhook {
	const webhook = toWebhook(entry);
	// A service may leave it out.
	return { ...webhook, url: webhook.url && maskUrlSecret(webhook.url) };
}

export const simplifyWebhook = (webhook: Webhook): object => pickFields(webhook, WEBHOOK_FIELDS);

/**
 * Reads whether the output is masked, or the service's own with Simplify off; the model of an agent sees no secret. Asked
 * for before anything is written.
 *
 * @throws NodeOperationError when an expression does not tell
 */
export function webhookOutput({ context }: Session, itemIndex: number): ToOutput {
	const toOutput = outputOf(context, itemIndex, (entry) => simplifyWebhook(toMaskedWebhook(entry)));
	return isTool(context) ? (entry) => withoutSecrets(toOutput(entry)) : toOutput;
}

/** A subscription as the service sent it, with everything masked that may be secret. */
export function withoutSecrets(entry: Entry): Entry {
	const mask = (name: string, value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		return name === 'url' ? maskUrlSecret(value) : maskSecrets(value);
	};
	return JSON.parse(JSON.stringify(entry, mask)) as Entry;
}
