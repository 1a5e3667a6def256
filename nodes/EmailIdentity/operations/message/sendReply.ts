import { NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';

import { textOfHtml } from '../../../../lib/email';
import { isRouteMissing } from '../../api/errors';
import type { AcceptedEmail, OutgoingEmail } from '../../api/outgoingEmail';
import type { Item } from '../operation';
import {
	readOutgoingEmail,
	requireOneRecipient,
	requireSubject,
	toSentEmail,
} from './outgoingEmail';

/** The outcome of a request to `/email/reply`; undefined if the service has no such route. */
type ReplyOutcome = AcceptedEmail | undefined;

/** @returns the output item: a service that has no route for replies gets a new email instead */
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

/** With text alone, mail programs show only the quoted email, which the service adds as HTML. */
async function withBothTexts(email: OutgoingEmail): Promise<OutgoingEmail> {
	const { text, html } = email;
	if (text !== undefined && html === undefined) return { ...email, html: htmlOfText(text) };
	if (html === undefined || text !== undefined) return email;
	return { ...email, text: await textOfHtml(html, async () => await sleep(0)) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function htmlOfText(text: string): string {
	const escaped = text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
	const lines = escaped.replace(/ {2}/g, ' &nbsp;').split(/\r\n|\r|\n/);
	return `<div>${lines.join('<br>\n')}</div>`;
}

/**
 * Asks for a reply, unless an item of this execution has learned that the service has no route for it. The other items wait for
 * the first one, so that each of them sends one request.
 *
 * @returns undefined if the service has no such route
 */
async function replyIfPossible(
	item: Item,
	messageId: string,
	email: OutgoingEmail,
): Promise<ReplyOutcome> {
	const ask = async () => await requestReply(item, messageId, email);
	let asked: Promise<ReplyOutcome> | undefined;
	const isRouteKnownMissing = await item.cache.once('route of replies', async () => {
		asked = ask();
		return await asked.then(
			(outcome) => outcome === undefined,
			() => false,
		);
	});
	if (isRouteKnownMissing) return undefined;
	return await (asked ?? ask());
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
