import { readMessagePlace, type MessagePlace } from '../../api/messages';
import type { EmailOrigin, OpenedEmail } from '../../../../lib/email';
import { failedFilters, wantedFiles } from '../settings/filters';
import type { IgnoreChoice } from '../settings/settings';
import { ignore, type Ignored, type IgnoredReason } from './outcomes';
import { specialFolder } from './specialFolders';
import type { MessageWithEmail } from '../../shared/messageWithEmail';
import { askOwnIdentities, type DeliveryHost, type ParsedDelivery, type Step } from './stages';

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

/**
 * The place of a message: IMAP flags and keywords (RFC 3501, 2.3.2; `$Junk`: RFC 9051, 2.3.2; `Junk`: Thunderbird), IMAP
 * folders (RFC 6154), Gmail labels (Gmail API), and states. Kurrier's states are normal, queued, failed and bounced; a
 * received email is never queued or failed.
 */
const SIGNS = {
	draft: 'flag:\\draft folder:drafts label:DRAFT state:draft state:drafts',
	trash: 'folder:trash label:TRASH state:trash state:trashed state:deleted',
	spam: 'flag:$junk flag:junk folder:spam label:SPAM state:spam state:junk',
	sent: 'folder:sent label:SENT state:queued state:failed state:sending state:sent state:outbox',
} satisfies Partial<Record<UnwantedReason, string>>;

/** Reasons from the service's message object, without reading the email. */
function reasonsOfPlace(message: MessagePlace): UnwantedReason[] {
	const { isDraft, state, folders, labels, flags } = message;
	// An email to yourself is in the inbox as well.
	const isSent = !labels.includes('INBOX');
	const given = new Set([
		`state:${state}`,
		isDraft ? 'state:draft' : '',
		...flags.map((flag) => `flag:${flag.toLowerCase()}`),
		...folders.map((path) => `folder:${specialFolder(path)}`),
		...labels.filter((label) => label !== 'SENT' || isSent).map((label) => `label:${label}`),
	]);
	const reasons = Object.keys(SIGNS) as Array<keyof typeof SIGNS>;
	return reasons.filter((reason) => SIGNS[reason].split(' ').some((sign) => given.has(sign)));
}

/** Header fields in which receiving servers mark spam. */
const VERDICTS: Array<[name: string, spam: RegExp]> = [
	// SpamAssassin, amavis, Mailcow, IONOS, Gandi, iCloud
	['x-spam-flag', /^(?:yes|true|spam)\b/i],
	// SpamAssassin, cPanel, Postmark
	['x-spam-status', /^(?:yes|spam)\b/i],
	// rspamd, Proton, Mail.ru
	['x-spam', /^(?:yes|true|spam)\b/i],
	// rspamd
	['x-spam-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i],
	['x-rspamd-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i],
	['x-spamd-result', /^default: true\b/i],
	// Exchange Online and Outlook.com (Anti-spam message headers)
	['x-forefront-antispam-report', /(?:^|;)\s*(?:SFV:(?:SPM|SKB|SKS)|SCL:[5-9])(?:;|\s|$)/i],
	// Exchange Online
	['x-microsoft-antispam', /(?:^|;)\s*SCL:[5-9](?:;|\s|$)/i],
	// Exchange (spam confidence level)
	['x-ms-exchange-organization-scl', /^[5-9]$/],
	// Outlook.com
	['x-microsoft-antispam-mailbox-delivery', /(?:^|;)\s*dest:J(?:;|\s|$)/i],
	// Google Workspace
	['x-gm-spam', /^1\b/],
	['x-gm-phishy', /^1\b/],
	// iCloud
	['x-apple-movetofolder', /^junk\b/i],
	// Proton
	['x-pm-spam-action', /^(?:spam|phishing)\b/i],
	// Amazon SES; Kurrier takes all but PASS for spam
	['x-ses-spam-verdict', /^(?!pass\b)\S/i],
	['x-ses-virus-verdict', /^(?!pass\b)\S/i],
	// OVH
	['x-ovh-spam-status', /^spam\b/i],
	// OVH, Vade
	['x-vr-spamstate', /^spam\b/i],
	// Gandi
	['x-gnd-status', /^spam\b/i],
	// GMX, Web.de, 1&1
	['x-ui-filterresults', /^junk\b/i],
	// Yandex
	['x-yandex-spam', /^4\b/],
	// Yahoo
	['x-yahoofilteredbulk', /^\S/],
	// AOL
	['x-aol-global-disposition', /^S\b/],
	// Mailgun (receiving messages)
	['x-mailgun-sflag', /^yes\b/i],
	// Barracuda
	['x-barracuda-spam-flag', /^yes\b/i],
	['x-barracuda-spam-status', /^yes\b/i],
	// Proofpoint
	['x-proofpoint-spam-details', /^rule=spam\b/i],
	// Trend Micro
	['x-tm-as-result', /^yes\b/i],
	// MailScanner
	['x-mailscanner-spamcheck', /^spam\b/i],
	// bogofilter
	['x-bogosity', /^(?:spam|yes)\b/i],
	// DSPAM
	['x-dspam-result', /^spam\b/i],
];

/** Microsoft's fields have some hundred characters before the verdict. */
const MAX_VERDICT_LENGTH = 2000;

/** Reasons from the email's header. A sender who forges it only keeps that email from starting a workflow. */
function reasonsOfHeader(
	{ automatic, topmost }: EmailOrigin,
	{ folders }: MessagePlace,
): UnwantedReason[] {
	const reasons: UnwantedReason[] = [];
	// In Gmail's All Mail, read by IMAP, received emails have the fields of the servers on their way.
	const isInAllMail = folders.some((path) => specialFolder(path) === 'all');
	const hasTrace = ['received', 'delivered-to', 'return-path'].some((name) => topmost(name) !== '');
	if (isInAllMail && !hasTrace) reasons.push('sent');
	const isSpam = VERDICTS.some(([name, spam]) =>
		spam.test(topmost(name).slice(0, MAX_VERDICT_LENGTH)),
	);
	if (isSpam) reasons.push('spam');
	const isAnswer = automatic === 'reply' || automatic === 'reaction';
	if (automatic !== null) reasons.push(isAnswer ? 'autoReply' : automatic);
	return reasons;
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

function placeOf({ received }: MessageWithEmail): MessagePlace {
	return readMessagePlace(received.message);
}

/** Looks only at what the service says about a message: the email is not read for it. */
export const unwantedByPlace: Step = async (delivery) => {
	const reasons = reasonsOfPlace(placeOf(delivery.email));
	return firstIgnored(reasons, delivery) ?? delivery;
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
	const { email, parameters } = delivery;
	const place = placeOf(email);
	const opened = await email.open();
	const reasons = [...reasonsOfPlace(place), ...reasonsOfHeader(opened, place)];
	const ignored = firstIgnored(reasons, delivery);
	if (ignored || !parameters.ignore.includes('sent') || !email.received.rawEmail) return ignored;
	if (!mayBeOwnSent(opened, place)) return undefined;
	const identities = await askOwnIdentities(host);
	return identities?.isOwn(opened.from?.address ?? '') ? ignore('sent') : undefined;
}

/** Whether an account without folders (JMAP, Kurrier 4) may have sent the email. Received mail passed through a server, also from one identity to another. */
function mayBeOwnSent({ from, topmost }: OpenedEmail, { folders, labels }: MessagePlace): boolean {
	const isPlaced = folders.length > 0 || labels.length > 0;
	return !isPlaced && topmost('received') === '' && from?.address.includes('@') === true;
}

export const filtered: Step = async (delivery) => {
	const failed = await failedFilters(delivery.email, delivery.parameters);
	const shown = failed.find(({ warning }) => warning !== undefined) ?? failed[0];
	return shown ? ignore('filtered', shown) : delivery;
};

/** An email whose files are unknown starts the workflow with a warning. */
export const withoutItems: Step = async (delivery) => {
	const { email, parameters } = delivery;
	if (parameters.output === 'email') return delivery;
	const files = await (await email.open()).listFiles();
	const hasItems = files?.some(wantedFiles(parameters) ?? (() => true)) ?? true;
	return hasItems ? delivery : ignore('noAttachment');
};
