import { readMessagePlace, type MessagePlace } from '../../../api/data/messages';
import type { EmailOrigin, OpenedEmail } from '../../../../../lib/email';
import { failedFilters, wantedFiles } from '../../settings/filters';
import type { IgnoreChoice } from '../../settings/settings';
import { askOwnIdentities, type DeliveryHost } from '../deliveryHost';
import { ignore, type Ignored, type IgnoredReason } from '../outcomes';
import { isMarkedAsSpam } from './spamVerdicts';
import { specialFolder } from './specialFolders';
import type { ParsedDelivery, Step } from '../stages';

/** The choice of Ignore for each reason. */
const CHOICE_OF_REASON = {
	autoReply: 'autoReplies',
	bounce: 'bounces',
	draft: 'drafts',
	list: 'lists',
	report: 'bounces',
	sent: 'sent',
	spam: 'spam',
	trash: 'trash',
} satisfies Partial<Record<IgnoredReason, IgnoreChoice>>;

type UnwantedReason = keyof typeof CHOICE_OF_REASON;

/** Looks only at what the service says about a message: the email is not read for it. */
export const unwantedByPlace: Step = async (delivery) => {
	const place = readMessagePlace(delivery.email.received.message);
	const ignored = firstIgnored(reasonsOfPlace(place), delivery);
	return ignored ?? delivery;
};

/** Looks at what the service and the email's own header say. */
export const unwanted: Step = async (delivery, host) => {
	const ignored = await whyUnwanted(delivery, host);
	return ignored ?? delivery;
};

/** Undefined for an email that is wanted. */
export async function whyUnwanted(
	delivery: ParsedDelivery,
	host: DeliveryHost,
): Promise<Ignored | undefined> {
	const { received, open } = delivery.email;
	const place = readMessagePlace(received.message);
	const opened = await open();
	const reasons = [...reasonsOfPlace(place), ...reasonsOfHeader(opened, place)];
	const ignored = firstIgnored(reasons, delivery);
	if (ignored) return ignored;

	const isSentIgnored = delivery.parameters.ignore.includes('sent');
	if (!isSentIgnored || !received.rawEmail || !mayBeOwnSent(opened, place)) return undefined;
	const identities = await askOwnIdentities(host);
	const isOwnSent = identities?.isOwn(opened.from?.address ?? '') === true;
	return isOwnSent ? ignore('sent') : undefined;
}

/** The first reason that Ignore names; undefined if it names none. */
function firstIgnored(
	reasons: UnwantedReason[],
	{ parameters }: ParsedDelivery,
): Ignored | undefined {
	for (const reason of reasons) {
		if (parameters.ignore.includes(CHOICE_OF_REASON[reason])) return ignore(reason);
	}
	return undefined;
}

/**
 * Signs of a place: IMAP flags and keywords (RFC 3501, 2.3.2; `$Junk`: RFC 9051, 2.3.2; `Junk`: Thunderbird), IMAP folders
 * (RFC 6154), Gmail labels (Gmail API), and states. Kurrier's states are normal, queued, failed and bounced; a received email
 * is never queued or failed.
 */
const SIGNS: ReadonlyArray<[reason: UnwantedReason, signs: string]> = [
	['draft', 'flag:\\draft folder:drafts label:DRAFT state:draft state:drafts'],
	['trash', 'folder:trash label:TRASH state:trash state:trashed state:deleted'],
	['spam', 'flag:$junk flag:junk folder:spam label:SPAM state:spam state:junk'],
	[
		'sent',
		'folder:sent label:SENT state:queued state:failed state:sending state:sent state:outbox',
	],
];

/** Reasons from the service's message object, without reading the email. */
function reasonsOfPlace(place: MessagePlace): UnwantedReason[] {
	const given = signsOf(place);
	const reasons: UnwantedReason[] = [];
	for (const [reason, signs] of SIGNS) {
		if (signs.split(' ').some((sign) => given.has(sign))) reasons.push(reason);
	}
	return reasons;
}

function signsOf({ isDraft, state, folders, labels, flags }: MessagePlace): Set<string> {
	const signs = new Set([`state:${state}`]);
	if (isDraft) signs.add('state:draft');
	for (const flag of flags) signs.add(`flag:${flag.toLowerCase()}`);
	for (const path of folders) signs.add(`folder:${specialFolder(path)}`);
	for (const label of labels) signs.add(`label:${label}`);
	// An email to yourself is in the inbox as well.
	if (labels.includes('INBOX')) signs.delete('label:SENT');
	return signs;
}

/** Reasons from the email's header. A sender who forges it only keeps that email from starting a workflow. */
function reasonsOfHeader(origin: EmailOrigin, { folders }: MessagePlace): UnwantedReason[] {
	const { automatic, topmost } = origin;
	const reasons: UnwantedReason[] = [];
	// In Gmail's All Mail, read by IMAP, received emails have the fields of the servers on their way.
	const isInAllMail = folders.some((path) => specialFolder(path) === 'all');
	const hasTrace = ['received', 'delivered-to', 'return-path'].some((name) => topmost(name) !== '');
	if (isInAllMail && !hasTrace) reasons.push('sent');
	if (isMarkedAsSpam(origin)) reasons.push('spam');
	if (automatic === 'reply' || automatic === 'reaction') reasons.push('autoReply');
	else if (automatic !== null) reasons.push(automatic);
	return reasons;
}

/** Whether an account without folders (JMAP, Kurrier 4) may have sent the email. Received mail passed through a server, also from one identity to another. */
function mayBeOwnSent({ from, topmost }: OpenedEmail, { folders, labels }: MessagePlace): boolean {
	const isPlaced = folders.length > 0 || labels.length > 0;
	const isReceived = topmost('received') !== '';
	if (isPlaced || isReceived) return false;
	return from?.address.includes('@') === true;
}

/** Ignores an email that does not pass all filters. */
export const filtered: Step = async (delivery) => {
	const [first, ...others] = await failedFilters(delivery.email, delivery.parameters);
	if (first === undefined) return delivery;
	const warned = [first, ...others].find(({ warning }) => warning !== undefined);
	return ignore('filtered', warned ?? first);
};

/** With One Item per Attachment, ignores an email without a wanted file. One whose files are unknown starts with a warning. */
export const withoutItems: Step = async (delivery) => {
	const { email, parameters } = delivery;
	if (parameters.output === 'email') return delivery;
	const opened = await email.open();
	const files = await opened.listFiles();
	if (files === undefined) return delivery;
	const isWanted = wantedFiles(parameters) ?? (() => true);
	return files.some(isWanted) ? delivery : ignore('noAttachment');
};
