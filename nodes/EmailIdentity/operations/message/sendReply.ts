import { sleep } from 'n8n-workflow';

import { textOfHtml } from '../../../../lib/email';
import { isRouteMissing } from '../../api/failures/errors';
import type { AcceptedEmail, OutgoingEmail } from '../../api/data/emailRequest';
import type { Item } from '../operation';
import { htmlOfText, requireSubject } from './emailContent';

interface SentReply {
	accepted: AcceptedEmail;
	/** Whether the service set In-Reply-To. */
	inConversation: boolean;
}

/** For all items of a run. */
const ROUTE_IS_MISSING = 'route of replies is missing';

/**
 * Sends a reply, or a new email if the service has no route for replies or the answered email has no ID. Only the first item
 * finds out that there is no route, because emails go one after another.
 */
export async function sendReply(
	item: Item,
	messageId: string | null,
	email: OutgoingEmail,
): Promise<SentReply> {
	const { service, cache } = item;
	const withTexts = await withBothTexts(email);
	if (messageId !== null && cache.last(ROUTE_IS_MISSING) === undefined) {
		const accepted = await service.replyToMessage(messageId, withTexts).catch((error: unknown) => {
			if (isRouteMissing(error)) return undefined;
			throw error;
		});
		if (accepted !== undefined) return { accepted, inConversation: true };
		cache.note(ROUTE_IS_MISSING, true);
	}
	requireSubject(item, email.subject);
	return { accepted: await service.sendEmail(withTexts), inConversation: false };
}

/** The service adds the quoted email as HTML: to a reply with text alone, mail programs would show nothing but that. */
async function withBothTexts(email: OutgoingEmail): Promise<OutgoingEmail> {
	const { text, html } = email;
	if (text === undefined && html !== undefined) {
		return { ...email, text: await textOfHtml(html, async () => await sleep(0)) };
	}
	if (html === undefined && text !== undefined)
		return { ...email, html: `<div>${htmlOfText(text)}</div>` };
	return email;
}
