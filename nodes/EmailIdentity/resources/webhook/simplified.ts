import { toWebhook } from '../../api/resources';
import { maskUrlSecret } from '../../api/redaction';
import type { Entry, Webhook } from '../../api/types';
import { pickFields } from '../simplify';

/** What people look at, first things first. */
export const SIMPLIFIED_FIELDS = [
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

/**
 * All that is known of a subscription. What is secret in its URL is masked: with it, everybody who reads the execution, and
 * every AI agent, could start the workflow that the URL belongs to.
 */
export function toMaskedWebhook(entry: Entry): Webhook {
	const webhook = toWebhook(entry);
	// A service may leave it out.
	return { ...webhook, url: webhook.url && maskUrlSecret(webhook.url) };
}

/** The output for a masked subscription with Simplify on. */
export function simplifyWebhook(
	webhook: Webhook,
): Pick<Webhook, (typeof SIMPLIFIED_FIELDS)[number]> {
	return pickFields(webhook, SIMPLIFIED_FIELDS);
}
