import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../../api/types';
import { idOf } from '../../email/messageFields';
import { reject } from './answers';

/** One event as the service delivered it (contract, section 6). */
export interface DeliveredEvent {
	event: string;
	data: IDataObject;
}

/** What a `message.received` event brings. */
export interface ReceivedMessage {
	/** The message's ID in the service; undefined when it has none. */
	id: string | undefined;
	message: Entry;
	/** Empty when the service has none. */
	rawEmail: string;
}

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

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

/**
 * Checks what a `message.received` event has to bring.
 *
 * @throws RefusedDelivery with what is wrong
 */
export function readReceivedMessage({ data }: DeliveredEvent): ReceivedMessage {
	const { message, rawEmail } = data;
	if (!isObject(message)) rejectShape('"data.message" is not an object');
	if (typeof rawEmail !== 'string') rejectShape('"data.rawEmail" is not a string');
	return { id: messageId(message), message, rawEmail };
}

/** A message's ID as text; undefined when it has none that could be used. */
export function messageId(message: Entry): string | undefined {
	return idOf(message) || undefined;
}
