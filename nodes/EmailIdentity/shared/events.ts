import type { INodePropertyOptions } from 'n8n-workflow';

import { SUPPORTED_EVENTS, type EventName } from '../api/types';

const EVENT_NAMES: Record<EventName, string> = { 'message.received': 'Message Received' };

/** The events that may be subscribed to; the planned ones are not offered (contract, section 6). */
export const EVENT_OPTIONS: INodePropertyOptions[] = SUPPORTED_EVENTS.map((value) => ({
	name: EVENT_NAMES[value],
	value,
}));
