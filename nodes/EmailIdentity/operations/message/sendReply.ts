import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { textOfHtml } from '../../../../lib/email';
import { isRouteMissing } from '../../api/failures/errors';
import type { AcceptedEmail, OutgoingEmail } from '../../api/data/emailRequest';
import type { Item } from '../operation';
import {
	readOutgoingEmail,
	requireOneRecipient,
	requireSubject,
	toSentEmail,
} from './outgoingEmail';

/** The outcome of a request to `/email/reply`; undefined if the service has no such route. */
type ReplyOutcome = AcceptedEmail | undefined;

/** Sends a reply, or a new email if the service has no route for replies. @returns the output item */
export async function sendReply(item: Item): Promise<IDataObject> {
	const messageId = readMessageId(item);
	const email = await withBothTexts(await readOutgoingEmail(item));
	const accepted = await replyIfPossible(item, messageId, email);
	if (accepted !== undefined) return toReply(email, accepted, true);
	requireOneRecipient(item, email);
	requireSubject(item, email);
	return toReply(email, await item.service.sendEmail(email), false);
}

function toReply(
	email: OutgoingEmail,
	accepted: AcceptedEmail,
	inConversation: boolean,
): IDataObject {
	return { ...toSentEmail(email, accepted), inConversation };
}

function readMessageId({ context, parameter }: Item): string {
	const id = String(parameter('messageId', '') ?? '').trim();
	if (id !== '') return id;
	throw new NodeOperationError(context.getNode(), "'Message ID' is empty", {
		description:
			'Enter the ID of the email to reply to (delivery.id), or use Message > Send for a new email.',
	});
}

/** The service adds the quoted email as HTML: to a reply with text alone, mail programs would show nothing but that. */
async function withBothTexts(email: OutgoingEmail): Promise<OutgoingEmail> {
	const { text, html } = email;
	if (text === undefined && html !== undefined) {
		return { ...email, text: await textOfHtml(html, async () => await sleep(0)) };
	}
	if (html === undefined && text !== undefined) return { ...email, html: htmlOfText(text) };
	return email;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function htmlOfText(text: string): string {
	const escaped = text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
	const lines = escaped.replace(/ {2}/g, ' &nbsp;').split(/\r\n|\r|\n/);
	return `<div>${lines.join('<br>\n')}</div>`;
}

/**
 * Asks for a reply. The request of the first item shows whether the service has a route for replies: the other items wait for it, so that
 * none of them asks in vain.
 *
 * @returns undefined if the service has no such route
 */
async function replyIfPossible(
	item: Item,
	messageId: string,
	email: OutgoingEmail,
): Promise<ReplyOutcome> {
	const ask = async () => await requestReply(item, messageId, email);
	let firstReply: Promise<ReplyOutcome> | undefined;
	const isRouteKnownMissing = await item.cache.once('route of replies', async () => {
		firstReply = ask();
		return await firstReply.then(
			(outcome) => outcome === undefined,
			// An error says nothing about the route. It is thrown below.
			() => false,
		);
	});
	if (isRouteKnownMissing) return undefined;
	return await (firstReply ?? ask());
}

async function requestReply(
	{ service }: Item,
	messageId: string,
	email: OutgoingEmail,
): Promise<ReplyOutcome> {
	return await service.replyToMessage(messageId, email).catch((error: unknown) => {
		if (isRouteMissing(error)) return undefined;
		throw error;
	});
}
