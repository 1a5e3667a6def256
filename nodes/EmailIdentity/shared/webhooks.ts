import type { Webhook, WebhookChanges } from '../api/resources';
import { canonicalUrl } from '../../../lib/basics';

/** The events that can be subscribed to (contract, section 6). `trigger/delivery/readDelivery.ts` reads a message from each. */
export type EventName = 'message.received';

export const DEFAULT_EVENT: EventName = 'message.received';

export const EVENT_OPTIONS: Array<{ name: string; value: EventName; description: string }> = [
	{
		name: 'Message Received',
		value: 'message.received',
		description: 'An email has been received for one of the identities',
	},
];

export const EVENT_NAMES: readonly string[] = EVENT_OPTIONS.map(({ value }) => value);

/** The description of a trigger's webhook. @param name of the workflow and the node, with a slash between them */
export function triggerDescription(name: string, isTest: boolean): string {
	return isTest ? `[Test] n8n: ${name}` : `n8n: ${name}`;
}

/** Whether a trigger wrote the description; anyone else may have copied it. */
export function isTriggerDescription(description: string): boolean {
	return /^(?:\[Test\] )?n8n: .+ \/ /.test(description);
}

/** For comparisons: services were seen to write names in another case. */
export function normalizeEventName(name: string): string {
	return name.trim().toLowerCase();
}

/** The desired state of a subscription. Omitted fields are left unchanged. */
export type WebhookState = Omit<WebhookChanges, 'ownerId'>;

export type WebhookField = keyof WebhookState;

/** Whether a field is as desired. The service may write a value in another way than it was given. */
const EQUALITY: Record<WebhookField, (shown: Webhook, desired: WebhookState) => boolean> = {
	url: (shown, { url = '' }) => canonicalUrl(shown.url) === canonicalUrl(url),
	// Unknown is not equal to anything.
	enabled: (shown, { enabled }) => shown.enabled === enabled,
	events: (shown, { events = [] }) => inOneOrder(shown.events) === inOneOrder(events),
	identityId: (shown, { identityId }) =>
		shown.identityId?.toLowerCase() === identityId?.toLowerCase(),
	description: (shown, { description }) =>
		(shown.description ?? '').trim() === (description ?? '').trim(),
};

/** The smallest PATCH that brings a subscription into the desired state; empty if there is nothing to change. */
export function webhookDiff(shown: Webhook, desired: WebhookState): WebhookState {
	const fields = (Object.keys(desired) as WebhookField[]).filter(
		(field) => desired[field] !== undefined && !EQUALITY[field](shown, desired),
	);
	return Object.fromEntries(fields.map((field) => [field, desired[field]]));
}

function inOneOrder(events: readonly string[]): string {
	return JSON.stringify([...new Set(events.map(normalizeEventName))].sort());
}
