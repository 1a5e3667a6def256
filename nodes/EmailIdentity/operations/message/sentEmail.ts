import type { IDataObject } from 'n8n-workflow';

import { withoutTags } from '../../../../lib/basics';
import type { NoAnswerReason } from '../../../../lib/email';
import type { AcceptedEmail } from '../../api/data/emailRequest';
import type { SendingResult } from '../operation';
import type { EmailContent } from './emailContent';

/** Why an email was not sent, although nothing failed. This list is documented and closed: workflows and agents compare it. */
export type NotSentReason =
	| NoAnswerReason
	/** The workflow began with an email of Use Sample Email. */
	| 'sampleEmail'
	/** Too many replies to one mailbox, see `ReplyBrake`. */
	| 'tooManyReplies';

/** The output of Reply, Send and Send and Wait for Response, always with all fields. */
export interface SentEmail extends IDataObject {
	sent: boolean;
	/** Null if it was sent. */
	reason: NotSentReason | null;
	/** The service's ID of the sent email; null if it says none, or if nothing was sent. */
	messageId: string | null;
	/** One address; null if there is nobody to answer. */
	to: string | null;
	/** Null if the service makes the subject of a reply itself, or if there is no reply. */
	subject: string | null;
	/** Whether the service set In-Reply-To. */
	inConversation: boolean;
}

/** The recipient and the subject of an email. */
export type Addressed = Pick<SentEmail, 'subject' | 'to'>;

const NOBODY: Addressed = { to: null, subject: null };

export function sentAs(
	{ messageId }: AcceptedEmail,
	{ to, subject }: Addressed,
	inConversation: boolean,
): SentEmail {
	return { sent: true, reason: null, messageId, to, subject, inConversation };
}

/** @param addressed how the email would have been sent */
export function notSent(
	reason: Exclude<NotSentReason, 'sampleEmail'>,
	{ to, subject }: Addressed = NOBODY,
): SendingResult {
	return { json: withReason(reason, { to, subject }), hint: HINTS[reason] };
}

const MAX_SHOWN_TEXT = 300;

/** The hint shows what would have been sent. */
export function sampleResult(
	addressed: Addressed,
	{ text, html = '' }: EmailContent,
): SendingResult {
	const shown = (text ?? html).slice(0, MAX_SHOWN_TEXT);
	const hint = `${SAMPLE_HINT} This text would go to ${addressed.to}: ${shown}`;
	return { json: withReason('sampleEmail', addressed), hint: withoutTags(hint) };
}

function withReason(reason: NotSentReason, { to, subject }: Addressed): SentEmail {
	return { sent: false, reason, messageId: null, to, subject, inConversation: false };
}

const SAMPLE_HINT =
	'Nothing was sent, because a sample email started the workflow, and nobody is behind it.';

/** For the editor. */
const HINTS: Readonly<Record<Exclude<NotSentReason, 'sampleEmail'>, string>> = {
	automatic: 'Not sent: a program wrote the email, so it must not be answered',
	noAddress: 'Not sent: the email has no address that a reply could go to',
	noReplyAddress: 'Not sent: the address for replies says that nobody reads it',
	ownAddress: 'Not sent: the reply would go to one of your own addresses',
	tooManyReplies: 'Not sent: this mailbox got too many replies within an hour',
};
