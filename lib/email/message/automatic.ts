import { plainLetters } from '../../basics';
import type { ContentHeader } from '../mime/contentHeader';
import { phrasesFor } from '../words/phrases';
import { AutomaticHeader } from './automaticHeader';

/** Beginnings of subjects, without accents and in lower case. People write such subjects, too, so none is enough alone. */
const REPLIES: readonly string[] = phrasesFor('automaticReplies').map(plainLetters);
const BOUNCES: readonly string[] = phrasesFor('bounces').map(plainLetters);

/** A value other than "no" and "false". */
const IS_ON = /^(?!no\b|false\b)\S/i;

/** A reaction is found by its parts, see `isReaction`. */
export type Automatic = 'bounce' | 'report' | 'reply' | 'reaction' | 'list';

/** How an automatic email is recognized. */
export interface AutomaticRule {
	kind: Automatic;
	/** Who writes such emails, or the standard that asks for it. */
	source: string;
	/** A short header that this rule recognizes, and no rule above it. */
	sample: string;
	appliesTo(header: AutomaticHeader): boolean;
}

/**
 * The first rule that applies decides. So a bounce of a list's mail is a bounce, and a notice with `Auto-Submitted: auto-replied` that was
 * sent through a list is a reply; weaker signs of replies do not count in a list's mail.
 *
 * Not enough alone: `Auto-Submitted: auto-generated` and `X-Auto-Response-Suppress` are also in messages that people write
 * in Zendesk, Jira or SharePoint, and people also write subjects like "Out of office".
 */
export const AUTOMATIC_RULES: readonly AutomaticRule[] = [
	{
		kind: 'bounce',
		source: 'RFC 3464 and 6533: delivery status, in a report of RFC 6522 or alone',
		sample: 'Content-Type: multipart/report; report-type=delivery-status',
		appliesTo: (header) =>
			header.type === 'message/delivery-status' ||
			/^(?:global-)?delivery-status$/.test(header.reportType),
	},
	{
		kind: 'report',
		source: 'RFC 8098: receipts, RFC 5965: complaints, RFC 6591: DMARC failures, RFC 8460: TLS',
		sample: 'Content-Type: multipart/report; report-type=disposition-notification',
		appliesTo: (header) =>
			header.type === 'message/disposition-notification' || header.reportType !== '',
	},
	{
		kind: 'bounce',
		source: 'Exim and Gmail',
		sample: 'X-Failed-Recipients: ada@example.com',
		appliesTo: (header) => header.has('x-failed-recipients'),
	},
	{
		kind: 'bounce',
		source: 'Exchange, with an empty value',
		sample: 'X-MS-Exchange-Message-Is-Ndr:',
		appliesTo: (header) => header.has('x-ms-exchange-message-is-ndr'),
	},
	{
		kind: 'bounce',
		source: 'qmail, sendmail and others; Apache James as post_master',
		sample: 'From: MAILER-DAEMON@example.com',
		appliesTo: (header) =>
			header.fromMailbox === 'mailer-daemon' || header.fromMailbox === 'post_master',
	},
	{
		kind: 'bounce',
		source: 'Exchange, MDaemon and Domino. A postmaster may also be a person',
		sample: 'From: postmaster@example.com\nSubject: Undeliverable: Offer',
		appliesTo: (header) =>
			header.fromMailbox === 'postmaster' && (header.isByProgram || header.isTitled(BOUNCES)),
	},
	{
		kind: 'bounce',
		source: 'MDaemon, which marks it as bulk mail. It writes other notices, too',
		sample: 'From: MDaemon@example.com\nSubject: Warning: ada@example.com - User unknown!',
		appliesTo: (header) =>
			header.fromMailbox === 'mdaemon' &&
			(header.isTitled(BOUNCES) || /\buser unknown\b/.test(header.subject)),
	},
	{
		kind: 'bounce',
		source: 'Microsoft 365, if a gateway turned the report into a text',
		sample:
			'From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com\nSubject: Undeliverable: Offer',
		appliesTo: (header) =>
			/^microsoftexchange[\da-f]{32}$/.test(header.fromMailbox) && header.isTitled(BOUNCES),
	},
	{
		kind: 'bounce',
		source: 'RFC 5321, 4.5.5: a bounce has an empty return path, or another sign of a program',
		sample: 'Return-Path: <>\nSubject: Undeliverable: Offer',
		appliesTo: (header) =>
			header.isTitled(BOUNCES) && (header.isByProgram || header.type === 'multipart/report'),
	},
	{
		kind: 'report',
		source: 'Old mail servers, which leave out the type that RFC 6522 requires',
		sample: 'Content-Type: multipart/report',
		appliesTo: (header) => header.type === 'multipart/report',
	},
	{
		kind: 'report',
		source: 'RFC 8460, 5.3: TLS',
		sample: 'TLS-Report-Domain: example.com',
		appliesTo: (header) => header.has('tls-report-domain'),
	},
	{
		kind: 'report',
		source: 'Outlook.com: complaints (JMRP)',
		sample: 'X-HmXmrOriginalRecipient: ada@example.com',
		appliesTo: (header) => header.has('x-hmxmroriginalrecipient'),
	},
	{
		kind: 'report',
		source: 'Outlook.com: complaints (JMRP), forwarded',
		sample: 'Subject: complaint about message from 192.0.2.7',
		appliesTo: (header) => /^complaint about message from [\d.:a-f]+$/.test(header.subject),
	},
	{
		kind: 'report',
		source: 'RFC 9990: DMARC aggregates',
		sample: 'Subject: Report Domain: example.com Submitter: example.org',
		appliesTo: ({ subject }) =>
			subject.includes('report domain:') && /submitter:|report-id:/.test(subject),
	},
	{
		kind: 'reply',
		source: 'RFC 3834, 5; RFC 5230, 4.7 (Sieve); Zimbra and many others',
		sample: 'Auto-Submitted: auto-replied',
		appliesTo: (header) => /^auto-replied\b/i.test(header.field('auto-submitted')),
	},
	{
		kind: 'reply',
		source: 'Gmail, iCloud, Proton, Yahoo and others',
		sample: 'X-Autoreply: yes',
		appliesTo: (header) => IS_ON.test(header.field('x-autoreply')),
	},
	{
		kind: 'reply',
		source: 'The acknowledgements of Frappe Helpdesk, which name their kind',
		sample: 'X-Auto-Generated: hd-acknowledgement',
		appliesTo: (header) => IS_ON.test(header.field('x-auto-generated')),
	},
	{
		kind: 'reply',
		source: 'cPanel, Plesk, Proton and others',
		sample: 'X-Autorespond: Offer',
		appliesTo: (header) =>
			header.has('x-autorespond', 'x-autoresponder', 'x-autoreply-from', 'x-mail-autoreply'),
	},
	{
		kind: 'reply',
		source: 'Responders that have a mailbox of this name',
		sample: 'Delivered-To: Autoresponder',
		appliesTo: (header) => /^autoresponder\b/i.test(header.field('delivered-to')),
	},
	{
		kind: 'reply',
		source: 'Servers that name what they generated: a reply, a redirect and others',
		sample: 'X-Autogenerated: Reply',
		appliesTo: (header) => /\breply\b/i.test(header.field('x-autogenerated')),
	},
	{
		kind: 'reply',
		source: 'iCloud',
		sample: 'X-Apple-Action: VACATION',
		appliesTo: (header) => /^vacation\b/i.test(header.field('x-apple-action')),
	},
	{
		kind: 'reply',
		source: 'Responders before RFC 3834, some in another field',
		sample: 'Precedence: auto_reply',
		appliesTo: (header) =>
			['precedence', 'x-precedence', 'preference'].some((name) =>
				/^auto[_-]?repl/i.test(header.field(name)),
			),
	},
	{
		kind: 'reply',
		source: 'Exchange, which names the mailbox whose rule wrote it. A rule also forwards emails',
		sample: `From: ada@example.com
X-MS-Exchange-Inbox-Rules-Loop: ada@example.com
X-Auto-Response-Suppress: All
Auto-Submitted: auto-generated`,
		appliesTo: (header) =>
			header.isByOwnRule &&
			header.isAutoSubmitted &&
			header.suppressesReplies &&
			!header.isForwarded,
	},
	{
		kind: 'reply',
		source: 'Out-of-office notices, which a program marks',
		sample: 'Subject: Out of office: Offer\nAuto-Submitted: auto-generated',
		appliesTo: (header) => header.isTitled(REPLIES) && header.isByProgram,
	},
	{
		kind: 'reply',
		source:
			'Out-of-office notices of wp.pl and others. Newsletters write such subjects and fields, too',
		sample: 'Subject: [Out of office] Offer\nPrecedence: junk',
		appliesTo: (header) =>
			header.isTitled(REPLIES) && (header.suppressesReplies || header.isInBulk) && !header.isOfList,
	},
	{
		kind: 'reply',
		source: 'RFC 3834, 3.3: an automatic reply has an empty return path',
		sample: 'Return-Path: <>\nIn-Reply-To: <1@example.com>',
		appliesTo: (header) => header.hasNullSender && header.has('in-reply-to', 'references'),
	},
	{
		kind: 'reply',
		source: 'Responders before RFC 3834, which do not name the answered email',
		sample: 'Return-Path: <>\nPrecedence: bulk',
		appliesTo: (header) => header.hasNullSender && header.isInBulk && !header.isOfList,
	},
	{
		kind: 'list',
		source: 'RFC 2919 and 2369; Mailman, Google Groups, newsletters, GitHub',
		sample: 'List-Id: <news.example.com>',
		appliesTo: (header) => header.isOfList,
	},
	{
		kind: 'list',
		source: 'Mailman',
		sample: 'X-BeenThere: dev@example.com',
		appliesTo: (header) => header.has('x-beenthere'),
	},
	{
		kind: 'list',
		source: 'RFC 2076, 3.9',
		sample: 'Precedence: bulk',
		appliesTo: (header) => /^(?:bulk|junk|list)\b/i.test(header.field('precedence')),
	},
];

/** @param header fields by name in lower case; of repeated fields the topmost one, which the last server added */
export function automaticOf(header: ReadonlyMap<string, string>): Automatic | null {
	return automaticRuleOf(header)?.kind ?? null;
}

/** The rule that decides; see {@link automaticOf}. */
export function automaticRuleOf(header: ReadonlyMap<string, string>): AutomaticRule | undefined {
	const read = new AutomaticHeader(header);
	return AUTOMATIC_RULES.find(({ appliesTo }) => appliesTo(read));
}

/** A reaction of Gmail, or of RFC 9078. */
export function isReaction({ type, disposition }: ContentHeader): boolean {
	return type === 'text/vnd.google.email-reaction+json' || disposition === 'reaction';
}
