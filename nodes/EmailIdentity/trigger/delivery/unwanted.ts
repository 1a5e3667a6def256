import type { MessagePlace } from '../../api/messages';
import type { Automatic, EmailOrigin } from '../../email';
import type { Ignored as Kind } from '../parameters';
import type { Mail, MessageWithEmail } from './mail';
import type { Ignored, IgnoredReason } from './outcomes';
import { ownIdentitiesOf, type DeliveryRequest } from './request';
import { specialFolder, type SpecialFolder } from './specialFolders';

type UnwantedReason = Extract<
	IgnoredReason,
	'autoReply' | 'bounce' | 'draft' | 'list' | 'report' | 'sent' | 'spam' | 'trash'
>;

interface Row<Told extends unknown[]> {
	ignored: Kind;
	reason: UnwantedReason;
	/** Who says so, and where that is written down. */
	source: string;
	says(...told: Told): boolean;
}

/** Kurrier's own states are normal, queued, failed and bounced; a mail that was received is never one of the former two. */
const STATES: ReadonlyMap<string, UnwantedReason> = new Map([
	['draft', 'draft'],
	['drafts', 'draft'],
	['queued', 'sent'],
	['failed', 'sent'],
	['sending', 'sent'],
	['sent', 'sent'],
	['outbox', 'sent'],
	['spam', 'spam'],
	['junk', 'spam'],
	['trash', 'trash'],
	['trashed', 'trash'],
	['deleted', 'trash'],
]);

const KINDS: Array<{
	ignored: Kind;
	reason: UnwantedReason;
	folder: SpecialFolder;
	label: string;
}> = [
	{ ignored: 'drafts', reason: 'draft', folder: 'drafts', label: 'DRAFT' },
	{ ignored: 'trash', reason: 'trash', folder: 'trash', label: 'TRASH' },
	{ ignored: 'spam', reason: 'spam', folder: 'spam', label: 'SPAM' },
	{ ignored: 'sent', reason: 'sent', folder: 'sent', label: 'SENT' },
];

const hasFlag = (flags: readonly string[], wanted: string) =>
	flags.some((flag) => flag.toLowerCase() === wanted.toLowerCase());

/** What the service's message object says: nothing of the email has to be read for it. */
const BY_PLACE: Row<[MessagePlace]>[] = [
	{
		ignored: 'drafts',
		reason: 'draft',
		source: 'The flag of the message (IMAP: \\Draft, RFC 3501, 2.3.2)',
		says: ({ isDraft, flags }) => isDraft || hasFlag(flags, '\\Draft'),
	},
	{
		ignored: 'spam',
		reason: 'spam',
		source: 'The keyword of the message (IMAP: $Junk, RFC 9051, 2.3.2; Thunderbird: Junk)',
		says: ({ flags }) => hasFlag(flags, '$Junk') || hasFlag(flags, 'Junk'),
	},
	...KINDS.map(({ folder, ...kind }) => ({
		...kind,
		source: 'The folder of an account that is read by IMAP (RFC 6154)',
		says: ({ folders }: MessagePlace) => folders.some((path) => specialFolder(path) === folder),
	})),
	...KINDS.map(({ label, ...kind }) => ({
		...kind,
		source:
			'The labels of a Gmail account; a note to oneself is in the inbox, too (Gmail API, labels)',
		says: ({ labels }: MessagePlace) =>
			labels.includes(label) && !(label === 'SENT' && labels.includes('INBOX')),
	})),
	...KINDS.map((kind) => ({
		...kind,
		source: "The service's own state of the message",
		says: ({ state }: MessagePlace) => STATES.get(state) === kind.reason,
	})),
];

/** Fields that a receiving server writes when it takes an email for spam. */
const VERDICTS: Array<[name: string, spam: RegExp, source: string]> = [
	['x-spam-flag', /^(?:yes|true|spam)\b/i, 'SpamAssassin, amavis, Mailcow, IONOS, Gandi, iCloud'],
	['x-spam-status', /^(?:yes|spam)\b/i, 'SpamAssassin, cPanel, Postmark'],
	['x-spam', /^(?:yes|true|spam)\b/i, 'rspamd, Proton, Mail.ru'],
	['x-spam-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i, 'rspamd'],
	['x-rspamd-action', /^(?:add header|rewrite subject|reject|quarantine)\b/i, 'rspamd'],
	['x-spamd-result', /^default: true\b/i, 'rspamd'],
	[
		'x-forefront-antispam-report',
		/(?:^|;)\s*(?:SFV:(?:SPM|SKB|SKS)|SCL:[5-9])(?:;|\s|$)/i,
		'Exchange Online and Outlook.com (Anti-spam message headers)',
	],
	['x-microsoft-antispam', /(?:^|;)\s*SCL:[5-9](?:;|\s|$)/i, 'Exchange Online'],
	['x-ms-exchange-organization-scl', /^[5-9]$/, 'Exchange (spam confidence level)'],
	['x-microsoft-antispam-mailbox-delivery', /(?:^|;)\s*dest:J(?:;|\s|$)/i, 'Outlook.com'],
	['x-gm-spam', /^1\b/, 'Google Workspace'],
	['x-gm-phishy', /^1\b/, 'Google Workspace'],
	['x-apple-movetofolder', /^junk\b/i, 'iCloud'],
	['x-pm-spam-action', /^(?:spam|phishing)\b/i, 'Proton'],
	['x-ses-spam-verdict', /^(?!pass\b)\S/i, 'Amazon SES; Kurrier takes all but PASS for spam'],
	['x-ses-virus-verdict', /^(?!pass\b)\S/i, 'Amazon SES; Kurrier takes all but PASS for spam'],
	['x-ovh-spam-status', /^spam\b/i, 'OVH'],
	['x-vr-spamstate', /^spam\b/i, 'OVH, Vade'],
	['x-gnd-status', /^spam\b/i, 'Gandi'],
	['x-ui-filterresults', /^junk\b/i, 'GMX, Web.de, 1&1'],
	['x-yandex-spam', /^4\b/, 'Yandex'],
	['x-yahoofilteredbulk', /^\S/, 'Yahoo'],
	['x-aol-global-disposition', /^S\b/, 'AOL'],
	['x-mailgun-sflag', /^yes\b/i, 'Mailgun (receiving messages)'],
	['x-barracuda-spam-flag', /^yes\b/i, 'Barracuda'],
	['x-barracuda-spam-status', /^yes\b/i, 'Barracuda'],
	['x-proofpoint-spam-details', /^rule=spam\b/i, 'Proofpoint'],
	['x-tm-as-result', /^yes\b/i, 'Trend Micro'],
	['x-mailscanner-spamcheck', /^spam\b/i, 'MailScanner'],
	['x-bogosity', /^(?:spam|yes)\b/i, 'bogofilter'],
	['x-dspam-result', /^spam\b/i, 'DSPAM'],
];

/** Enough for what stands at the beginning; Microsoft's fields have some hundred characters before it. */
const MAX_VERDICT_LENGTH = 2000;

const isOfReason = (automatic: Automatic, ignored: Kind, reason: UnwantedReason) => ({
	ignored,
	reason,
	source: 'The table of automatic mail (`email/automatic.ts`)',
	says: (header: EmailOrigin) => header.automatic === automatic,
});

/** What the header of the email says. A stranger who writes it keeps nothing but his own mail from starting a workflow. */
const BY_HEADER: Row<[EmailOrigin, MessagePlace]>[] = [
	{
		ignored: 'sent',
		reason: 'sent',
		source:
			"Gmail's All Mail read by IMAP: what was received passed through servers, and they say so",
		says: ({ topmost }, { folders }) =>
			folders.some((path) => specialFolder(path) === 'all') &&
			['received', 'delivered-to', 'return-path'].every((name) => topmost(name) === ''),
	},
	...VERDICTS.map(([name, spam, source]): Row<[EmailOrigin]> => ({
		ignored: 'spam',
		reason: 'spam',
		source,
		says: ({ topmost }) => spam.test(topmost(name).slice(0, MAX_VERDICT_LENGTH)),
	})),
	isOfReason('bounce', 'bounces', 'bounce'),
	isOfReason('report', 'bounces', 'report'),
	isOfReason('reply', 'autoReplies', 'autoReply'),
	isOfReason('list', 'lists', 'list'),
];

/** What the service says about a message: the email is not read for it. */
export async function unwantedByPlace(
	{ email }: Mail,
	{ parameters }: DeliveryRequest,
): Promise<Ignored | undefined> {
	const { ignore } = parameters;
	const row = BY_PLACE.find((row) => ignore.includes(row.ignored) && row.says(email.place()));
	return row && { reason: row.reason };
}

/** What the service or the email's own header says. */
export async function unwanted(mail: Mail, request: DeliveryRequest): Promise<Ignored | undefined> {
	const byPlace = await unwantedByPlace(mail, request);
	if (byPlace) return byPlace;
	const { email } = mail;
	const { ignore } = request.parameters;
	const origin = await email.open();
	const row = BY_HEADER.find(
		(row) => ignore.includes(row.ignored) && row.says(origin, email.place()),
	);
	if (row) return { reason: row.reason };
	const isSent = ignore.includes('sent') && (await isOwnSent(email, request));
	return isSent ? { reason: 'sent' } : undefined;
}

/**
 * One's own sent mail of an account without folders (JMAP, Kurrier 4). Mail from one identity to another passed through a
 * server.
 */
async function isOwnSent(email: MessageWithEmail, request: DeliveryRequest): Promise<boolean> {
	const { folders, labels } = email.place();
	const { from, topmost } = await email.open();
	const isPlaced = folders.length > 0 || labels.length > 0;
	if (isPlaced || !email.received.rawEmail || topmost('received') !== '') return false;
	if (!from?.address.includes('@')) return false;
	return (await ownIdentitiesOf(request))?.isOwn(from.address) === true;
}
