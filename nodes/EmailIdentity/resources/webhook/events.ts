import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { SUPPORTED_EVENTS, type EventName } from '../../api/types';

const EVENT_NAMES: Record<EventName, string> = { 'message.received': 'Message Received' };

/** The events that may be subscribed to; the planned ones are not offered (contract, section 6). */
export const EVENT_OPTIONS: INodePropertyOptions[] = SUPPORTED_EVENTS.map((value) => ({
	name: EVENT_NAMES[value],
	value,
}));

/**
 * Checks the events that a subscription is to have.
 *
 * @param given a list, or one event as text, as expressions may give it
 * @throws NodeOperationError when there is none or the API does not support one of them
 */
export function readEvents(
	context: IExecuteFunctions,
	given: unknown,
	itemIndex: number,
): EventName[] {
	const names = [given].flat().map((name) => String(name ?? '').trim());
	const events = [...new Set(names.filter((name) => name !== ''))];
	const supported = SUPPORTED_EVENTS.join(', ');
	if (events.length === 0) {
		throw new NodeOperationError(context.getNode(), 'No event was chosen', {
			itemIndex,
			description: `Choose at least one event. The API supports ${supported}.`,
		});
	}
	const unknown = events.filter((name) => !SUPPORTED_EVENTS.some((event) => event === name));
	if (unknown.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The API does not support the event ${unknown.join(', ')}`,
			{ itemIndex, description: `Choose from the events that it supports: ${supported}.` },
		);
	}
	return SUPPORTED_EVENTS.filter((event) => events.includes(event));
}
