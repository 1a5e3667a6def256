/**
 * The events that can be subscribed to (contract, section 6); those that are only planned are not offered. The editor
 * offers what is here, subscriptions are made for it, and `trigger/delivery/mail.ts` has a reader for each.
 */
export const EVENTS = {
	'message.received': {
		name: 'Message Received',
		description: 'An email has been received for one of the identities',
	},
} as const satisfies Record<string, { name: string; description: string }>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export const DEFAULT_EVENT: EventName = 'message.received';

/** The entries of an Event drop-down. */
export const EVENT_OPTIONS = EVENT_NAMES.map((value) => ({ ...EVENTS[value], value }));

/** An event's name as names are compared: services were seen to write it in another case. */
export function normalizeEventName(name: string): string {
	return name.trim().toLowerCase();
}
