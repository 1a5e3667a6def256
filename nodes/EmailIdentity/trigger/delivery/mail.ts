import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../../api/json';
import { readMessage, readMessageFields, type ServiceMessage } from '../../api/messages';
import type { SenderCheck } from '../../../../lib/proof';
import {
	type ContentHeader,
	type EmailText,
	type OpenedEmail,
	openEmail,
	splitEmail,
} from '../../../../lib/email';
import { asSigned } from '../../../../lib/proof';
import { restoreWindows1252 } from '../../../../lib/basics';
import type { SeenMessages } from './onceOnly';
import { reject, type Ignored } from './outcomes';
import type { DeliveryRequest } from './request';

/** One event as the service delivered it (contract, section 6). */
export interface DeliveredEvent {
	event: string;
	data: IDataObject;
}

/** A message of the service with its email, which is opened only when it is asked for, and once. */
export interface MessageWithEmail {
	received: ServiceMessage;
	text(): EmailText;
	open(): Promise<OpenedEmail>;
}

/** One delivered email on its way through the steps. */
export interface Mail {
	event: DeliveredEvent;
	delivered: MessageWithEmail;
	/** What the steps look at: with Verify With the API, the service's own copy. */
	email: MessageWithEmail;
	/** The one address whose mail the subscription is restricted to. */
	restrictedTo?: string;
	sender?: SenderCheck;
	/** Undefined where duplicates are not ignored. */
	once?: { messages: SeenMessages; keys: string[] };
}

/** @returns why the email does not start the workflow; undefined to go on */
export type Step = (mail: Mail, request: DeliveryRequest) => Promise<Ignored | undefined>;

type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/**
 * The JSON of a delivery, whatever its content type says.
 *
 * n8n reads the body by its type: JSON is parsed already, under a type it does not know (or none) nothing
 * is read, and a form is taken apart, so that only the bytes still tell what was sent
 * (`middlewares/body-parser.js`). A running service was seen to send JSON as `text/plain`. Where n8n reads the body, it
 * decodes it too, and answers 422 by itself for a charset that Node's `Buffer` does not name.
 *
 * @throws RefusedDelivery when the body is not JSON or can't be read
 */
export async function readBody(request: WebhookRequest): Promise<unknown> {
	if (request.contentType === 'application/json' && request.body !== undefined) return request.body;
	const text = typeof request.body === 'string' ? request.body : await readText(request);
	return (parseJson(text) ?? reject('bodyNotJson')).value;
}

async function readText(request: WebhookRequest): Promise<string> {
	try {
		await request.readRawBody();
	} catch (error) {
		// n8n's reader gives its errors the status they stand for.
		const { status } = (error ?? {}) as { status?: unknown };
		reject(status === 413 ? 'bodyTooLarge' : 'bodyUnreadable');
	}
	const { rawBody, encoding } = request;
	return rawBody ? decode(rawBody, encoding) : '';
}

/** A charset that nobody knows is read as UTF-8, which JSON is in (RFC 8259, 8.1): better than to lose the email. */
function decode(bytes: Buffer, charset = 'utf-8'): string {
	const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
	try {
		const decoder = new TextDecoder(isBigEndian ? 'utf-16be' : charset);
		const text = decoder.decode(bytes);
		return decoder.encoding === 'windows-1252' ? restoreWindows1252(text) : text;
	} catch {
		return bytes.toString('utf8');
	}
}

/** @throws RefusedDelivery for another outer shape; other fields are welcome */
export function readEvent(body: unknown): DeliveredEvent {
	const { event, data } = isObject(body) ? body : {};
	if (typeof event !== 'string' || event === '' || !isObject(data)) reject('noDelivery');
	return { event, data };
}

/** @throws RefusedDelivery for another shape */
export function readReceivedMessage({ data }: DeliveredEvent): ServiceMessage {
	const received = readMessage(data);
	if (!isObject(data.message) || received.rawEmail === undefined) reject('noDelivery');
	return received;
}

export function toMail(event: DeliveredEvent, request: DeliveryRequest): Mail {
	const email = withEmail(readReceivedMessage(event), request);
	return { event, delivered: email, email };
}

/**
 * With a check of its sender, an email is read as its signatures cover it.
 *
 * @param content see `SenderCheck`
 */
export function withEmail(
	received: ServiceMessage,
	{ parameters, pause }: DeliveryRequest,
	content?: ContentHeader,
): MessageWithEmail {
	const { message, rawEmail = '' } = received;
	const known = () => readMessageFields(message);
	let split: EmailText | undefined;
	const text = () => (split ??= splitEmail(rawEmail));
	let opening: Promise<OpenedEmail> | undefined;
	const open = async () => {
		const read = parameters.senderCheck === 'off' ? text() : asSigned(text());
		return await openEmail({ ...read, content }, { known, pause });
	};
	return { received, text, open: async () => await (opening ??= open()) };
}
