import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../api/json';
import {
	readMessage,
	type ServiceMessage,
	readMessageFields,
	readMessagePlace,
	type MessagePlace,
} from '../../api/messages';
import type { Authentication } from '../../dns/senders/result';
import { asSigned, openEmail, readOrigin, type EmailOrigin, type OpenedEmail } from '../../email';
import type { Pause } from '../../lib/pause';
import { normalizeEventName, type EventName } from '../../shared/events';
import type { StoredSubscription } from '../staticData';
import { reject } from './request';

/** One event as the service delivered it (contract, section 6). */
export interface DeliveredEvent {
	event: string;
	data: IDataObject;
}

/** A message of the service with its email, which is opened only when it is asked for, and once. */
export interface MessageWithEmail {
	received: ServiceMessage;
	/** Where it is in its mailbox, as far as the service tells. */
	place(): MessagePlace;
	open(): Promise<OpenedEmail>;
	/** What its header says of how it came about. */
	origin(): Promise<EmailOrigin>;
}

/** One delivered email on its way through the steps. */
export interface Mail {
	event: DeliveredEvent;
	/** The subscription whose secret came with it, where it is the stored one. */
	subscription: StoredSubscription | undefined;
	delivered: MessageWithEmail;
	/** What the steps look at: with Verify With the API, the service's own copy. */
	email: MessageWithEmail;
	/** The one address whose mail the subscription is restricted to. */
	restrictedTo?: string;
	authentication?: Authentication;
	/** What tells the message from others; undefined where duplicates are not ignored. */
	keys?: string[];
}

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

export function isOfEvent({ event }: DeliveredEvent, wanted: EventName): boolean {
	return normalizeEventName(event) === wanted;
}

/** @throws RefusedDelivery with what is wrong */
export function readReceivedMessage({ data }: DeliveredEvent): ServiceMessage {
	if (!isObject(data.message)) rejectShape('"data.message" is not an object');
	const received = readMessage(data);
	if (received.rawEmail === undefined) rejectShape('"data.rawEmail" is not a string');
	return received;
}

export interface Opening {
	/** Whether it is opened sooner or later, so that its header need not be read by itself. */
	willOpen: boolean;
	/** Whether it is read as its signatures cover it, see `asSigned`. */
	isSigned: boolean;
	pause: Pause;
}

export function withEmail(
	received: ServiceMessage,
	{ willOpen, isSigned, pause }: Opening,
): MessageWithEmail {
	const { message } = received;
	const rawEmail = isSigned ? asSigned(received.rawEmail ?? '') : received.rawEmail;
	const known = () => readMessageFields(message);
	let place: MessagePlace | undefined;
	let opening: Promise<OpenedEmail> | undefined;
	let readingHeader: Promise<EmailOrigin> | undefined;
	const open = async () => await (opening ??= openEmail(rawEmail, { known, pause }));
	return {
		received,
		place: () => (place ??= readMessagePlace(message)),
		open,
		origin: async () =>
			willOpen || opening ? await open() : await (readingHeader ??= readOrigin(rawEmail, known)),
	};
}
