import type { Webhook, WebhookChanges, WebhookField } from '../api/data/resources';
import { canonicalUrl } from '../../../lib/basics';

/** The events that can be subscribed to (contract, section 6). `trigger/delivery/readDelivery.ts` reads a message from each. */
export type EventName = 'message.received';

export const DEFAULT_EVENT: EventName = 'message.received';

/** An entry of the field Events. */
interface EventOption {
	name: string;
	value: EventName;
	description: string;
}

export const EVENT_OPTIONS: EventOption[] = [
	{
		name: 'Message Received',
		value: 'message.received',
		description: 'An email has been received for one of the identities',
	},
];

export const EVENT_NAMES: readonly string[] = EVENT_OPTIONS.map(({ value }) => value);

/** The description of a trigger's webhook. @param name of the workflow and the node, with a slash between them */
export function triggerDescription(name: string, isTest: boolean): string {
	if (isTest) return `[Test] n8n: ${name}`;
	return `n8n: ${name}`;
}

/** Whether a trigger wrote the description; anyone else may have copied it. */
export function isTriggerDescription(description: string): boolean {
	return /^(?:\[Test\] )?n8n: .+ \/ /.test(description);
}

/** For comparisons: services were seen to write names in another case. */
export function normalizeEventName(name: string): string {
	return name.trim().toLowerCase();
}

/** The smallest change that brings a subscription into the desired state; empty if there is nothing to change. */
export function webhookDiff(shown: Webhook, desired: WebhookChanges): WebhookChanges {
	const changes: WebhookChanges = { ...desired };
	for (const field of Object.keys(desired) as WebhookField[]) {
		const isLeft = desired[field] === undefined || isAsDesired(field, shown, desired);
		if (isLeft) delete changes[field];
	}
	return changes;
}

/** The service may write a value in another way than it was given. */
function isAsDesired(field: WebhookField, shown: Webhook, desired: WebhookChanges): boolean {
	switch (field) {
		case 'url':
			return canonicalUrl(shown.url) === canonicalUrl(desired.url ?? '');
		case 'enabled':
			// An unknown state is not equal to anything.
			return shown.enabled === desired.enabled;
		case 'events':
			return toSortedNames(shown.events) === toSortedNames(desired.events ?? []);
		case 'identityId':
			return shown.identityId?.toLowerCase() === desired.identityId?.toLowerCase();
		case 'description':
			return (shown.description ?? '').trim() === (desired.description ?? '').trim();
	}
}

function toSortedNames(events: readonly string[]): string {
	const names = new Set(events.map(normalizeEventName));
	return JSON.stringify([...names].sort());
}
