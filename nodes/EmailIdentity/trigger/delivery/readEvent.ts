import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../api/json';
import { readMessage, type ServiceMessage } from '../../api/messages';
import { normalizeEventName, type EventName } from '../../shared/events';
import { reject } from './responses';

/** One event as the service delivered it (contract, section 6). */
export interface DeliveredEvent {
	event: string;
	data: IDataObject;
}

/** What each event brings. Each reader checks the shape and throws RefusedDelivery with what is wrong. */
const READERS: Record<EventName, (data: IDataObject) => ServiceMessage> = {
	'message.received': readReceivedMessage,
};

function rejectShape(message: string): never {
	reject({ status: 400, message });
}

/**
 * Checks the outer shape: `event` a string, `data` an object. Other fields are welcome.
 *
 * @throws RefusedDelivery with what is wrong
 */
export function readEvent(body: unknown): DeliveredEvent {
	if (!isObject(body)) rejectShape('The body is not a JSON object');
	const { event, data } = body;
	if (typeof event !== 'string' || event === '') rejectShape('"event" is not a string');
	if (!isObject(data)) rejectShape('"data" is not an object');
	return { event, data };
}

/** Whether a delivery is of the event that was asked for, whatever the case of its letters. */
export function isOfEvent({ event }: DeliveredEvent, wanted: EventName): boolean {
	return normalizeEventName(event) === wanted;
}

/**
 * Reads what a delivery of an event brings.
 *
 * @param event the event that it is of
 * @throws RefusedDelivery with what is wrong
 */
export function readEventData(event: EventName, { data }: DeliveredEvent): ServiceMessage {
	return READERS[event](data);
}

function readReceivedMessage(data: IDataObject): ServiceMessage {
	if (!isObject(data.message)) rejectShape('"data.message" is not an object');
	const received = readMessage(data);
	if (received.rawEmail === undefined) rejectShape('"data.rawEmail" is not a string');
	return received;
}
