import type { IWebhookFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../../api/data/json';
import { readMessage } from '../../api/data/messages';
import { restoreWindows1252 } from '../../../../lib/basics';
import { withEmail } from '../../shared/reading/messageWithEmail';
import { normalizeEventName } from '../../shared/webhooks';
import type { DeliveryHost } from './deliveryHost';
import { ignore, refuse, type Ignored, type Refused } from './outcomes';
import type { Authenticated, ParsedDelivery } from './stages';

type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/**
 * Reads the JSON of a delivery, whatever its content type says.
 *
 * n8n reads the body by its type: it parses JSON, takes a form apart, and reads nothing under an unknown type, so that only
 * the bytes show what was sent (`middlewares/body-parser.js`). A service was seen to send JSON as `text/plain`. n8n itself
 * answers 422 for a charset that Node's `Buffer` does not name.
 */
export async function readDeliveredBody(
	request: WebhookRequest,
): Promise<{ value: unknown } | Refused> {
	const { contentType, body } = request;
	if (contentType === 'application/json' && body !== undefined) return { value: body };
	const text = typeof body === 'string' ? body : await readBytes(request);
	if (typeof text !== 'string') return text;
	return parseJson(text) ?? refuse('bodyNotJson');
}

async function readBytes(request: WebhookRequest): Promise<string | Refused> {
	try {
		await request.readRawBody();
	} catch (error) {
		// n8n's reader puts the matching HTTP status into its errors.
		const { status } = (error ?? {}) as { status?: unknown };
		return refuse(status === 413 ? 'bodyTooLarge' : 'bodyUnreadable');
	}
	const { rawBody, encoding } = request;
	if (!rawBody) return refuse('bodyNotJson');
	return decode(rawBody, encoding);
}

/** Reads an unknown charset as UTF-8, the charset of JSON (RFC 8259, 8.1), so that no email is lost. */
function decode(bytes: Buffer, charset = 'utf-8'): string {
	const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
	try {
		const decoder = new TextDecoder(isBigEndian ? 'utf-16be' : charset);
		const text = decoder.decode(bytes);
		if (decoder.encoding === 'windows-1252') return restoreWindows1252(text);
		return text;
	} catch {
		return bytes.toString('utf8');
	}
}

/** Reads the event and its message. Further fields are allowed. */
export function parseDelivery(
	authenticated: Authenticated,
	{ pause }: Pick<DeliveryHost, 'pause'>,
): Ignored | ParsedDelivery | Refused {
	const { body, ...known } = authenticated;
	if (!isObject(body)) return refuse('noDelivery');
	const { event, data } = body;
	if (typeof event !== 'string' || event === '' || !isObject(data)) return refuse('noDelivery');
	if (normalizeEventName(event) !== known.parameters.event) return ignore('event');
	const received = readMessage(data);
	if (!isObject(data.message) || received.rawEmail === undefined) return refuse('noDelivery');
	const email = withEmail(received, pause);
	return { ...known, event, data, delivered: email, email };
}
