import type { Webhook } from '../api/resources';
import type { WebhookChanges } from '../api/types';
import { normalizeEventName } from './events';
import { canonicalUrl } from '../lib/hosts';

/** A subscription as it should be. What is left out is left as it is. */
export type WebhookState = Pick<
	WebhookChanges,
	'url' | 'enabled' | 'events' | 'identityId' | 'description'
>;

export type WebhookField = keyof WebhookState;

type Equality = (shown: Webhook, desired: WebhookState) => boolean;

/** What of a subscription can be wrong. The service may write a value in another way than it was given. */
const EQUALITY: Record<WebhookField, Equality> = {
	url: (shown, { url = '' }) => canonicalUrl(shown.url) === canonicalUrl(url),
	// Unknown is not equal to anything.
	enabled: (shown, { enabled }) => shown.enabled === enabled,
	events: (shown, { events = [] }) => inOneOrder(shown.events) === inOneOrder(events),
	identityId: (shown, { identityId }) => folded(shown.identityId) === folded(identityId),
	description: (shown, { description }) =>
		(shown.description ?? '').trim() === (description ?? '').trim(),
};

/**
 * The smallest PATCH that brings a subscription into the desired state.
 *
 * @param shown the subscription as the service shows it
 * @param judgements takes the place of the comparison of single fields
 * @returns empty when there is nothing to change
 */
export function webhookDiff(
	shown: Webhook,
	desired: WebhookState,
	judgements: Partial<Record<WebhookField, boolean>> = {},
): WebhookState {
	const fields = (Object.keys(desired) as WebhookField[]).filter(
		(field) =>
			desired[field] !== undefined && !(judgements[field] ?? EQUALITY[field](shown, desired)),
	);
	return Object.fromEntries(fields.map((field) => [field, desired[field]]));
}

function inOneOrder(events: readonly string[]): string {
	return JSON.stringify([...new Set(events.map(normalizeEventName))].sort());
}

function folded(id: string | null | undefined): string | null {
	return id?.toLowerCase() ?? null;
}
