import { identityKey } from '../../basics';
import { EMAIL_LIMITS, type EmailLimits } from '../limits';
import { parseAddresses } from '../message/addresses';
import { isReport, toRecipient, type EmailOrigin } from '../message/origin';
import { readMessageIds } from '../message/thread';
import { firstValue, oneLine, readHeaderFields, type HeaderField } from '../mime/headerFields';
import type { LeafPart } from '../mime/parts';
import { decodeBody } from '../mime/transferEncoding';
import type { EmailThread } from '../message/headerTypes';
import { readBounceText, type BounceText } from './bounceText';

export type ReportKind = 'bounce' | 'complaint' | 'delay' | 'delivered' | 'read';

export interface ReportedRecipient {
	/** The address that the email was sent to. */
	recipient: string;
	/** Such as `5.1.1` (RFC 3463); null if unknown. */
	status: string | null;
	/** The reason, in the words of a mail server; null if unknown. */
	diagnostic: string | null;
}

/** A report of a mail server or mail program about another email: `delivery.report`. */
export interface DeliveryReport {
	/** If the recipients differ, the worst kind. */
	kind: ReportKind;
	/** The Message-ID of the reported email; null if unknown. */
	messageId: string | null;
	recipients: ReportedRecipient[];
}

export interface ReportSource {
	limits: EmailLimits;
	/** See `EmailText.body`. */
	emailBody: string;
	leaves: LeafPart[];
	origin: EmailOrigin;
	thread: EmailThread;
	subject: string;
	/** The text part and the visible text; empty ones say nothing. */
	texts: readonly string[];
}

/** A report, with the one of its texts that is read. */
interface ReportText extends Omit<ReportSource, 'texts'> {
	text: string;
}

/** The content of one kind of report. */
interface Found {
	kind: ReportKind;
	/** Copied as written; `''` or missing if the report does not name the email. */
	messageId?: string;
	recipients: ReportedRecipient[];
}

const STATUS_PART = /^message\/(?:global-)?delivery-status$/;
const RECEIPT_PART = /^message\/(?:global-)?disposition-notification$/;
const COMPLAINT_PART = /^message\/feedback-report$/;
const RETURNED_PART = /^(?:message\/(?:rfc822|global)(?:-headers)?|text\/rfc822-headers)$/;

/** Outlook.com names the recipient who complains in this field. */
const OUTLOOK = 'x-hmxmroriginalrecipient';
const COMPLAINANTS: ReadonlySet<string> = new Set([
	OUTLOOK,
	'original-rcpt-to',
	'removal-recipient',
]);

/** RFC 3464, 2.3.3, the worst first. */
const REPORT_KINDS: ReadonlyArray<[kind: ReportKind, action: RegExp]> = [
	['bounce', /^failed/i],
	['delay', /^delayed/i],
	['delivered', /^(?:delivered|deliverable|relayed|expanded)/i],
];

/** Feedback that is not a complaint (RFC 5965, 7.3; RFC 6591; RFC 6430). */
const NO_COMPLAINT = /^(?:auth-failure|dmarc|not-spam)/i;

const ENHANCED_STATUS = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/g;

const DELAYED_SUBJECT = /\bdelay(?:ed)?\b|^warning: (?:could not send|message)\b/i;

/**
 * Reads a report in a standard format (RFC 3464: delivery status, RFC 8098: read receipts, RFC 5965: complaints) or from
 * the text of a bounce.
 *
 * @returns undefined if the email is no report about another email
 */
export function readDeliveryReport({ texts, ...source }: ReportSource): DeliveryReport | undefined {
	if (!isReport(source.origin)) return undefined;
	const reports = [...new Set(texts)].flatMap((text) => readReportText({ ...source, text }) ?? []);
	return reports.find(({ recipients }) => recipients.length > 0) ?? reports[0];
}

function readReportText(source: ReportText): DeliveryReport | undefined {
	const returned = groupsOf(source, RETURNED_PART, 1)[0] ?? [];
	const senders = parseAddresses(source.origin.topmost('to')).map(({ address }) => address);
	const toSenders = new Set(senders.map((address) => address.toLowerCase()));
	const words = readBounceText(source.text, returned, toSenders);
	const found =
		findComplaint(source, returned, words) ??
		findReceipt(source) ??
		findStatus(source, words) ??
		findInText(source, words);
	if (found === undefined) return undefined;
	const ids = [value(returned, 'message-id'), found.messageId].flatMap(readMessageIds);
	const { inReplyTo, references } = source.thread;
	const messageId = ids[0] ?? inReplyTo ?? references.at(-1) ?? null;
	return { kind: found.kind, messageId, recipients: oncePerAddress(found.recipients) };
}

/** Some servers report a recipient several times, also without the reason. */
function oncePerAddress(reported: readonly ReportedRecipient[]): ReportedRecipient[] {
	const recipients = new Map<string, ReportedRecipient>();
	for (const one of reported) {
		const key = identityKey(one.recipient);
		const known = recipients.get(key);
		const isMore = known?.diagnostic === null && one.diagnostic !== null;
		if (known === undefined || isMore) recipients.set(key, one);
	}
	return [...recipients.values()];
}

/** A complaint. Outlook.com (JMRP) names only the recipient, in the header of the returned email. */
function findComplaint(
	source: ReportText,
	returned: HeaderField[],
	words: BounceText,
): Found | undefined {
	const [group] = groupsOf(source, COMPLAINT_PART, 1);
	const toOutlook = firstValue(returned, OUTLOOK) ?? source.origin.topmost(OUTLOOK);
	if (group === undefined && toOutlook === '') return undefined;
	const fields = group ?? [];
	const type = value(fields, 'feedback-type');
	if (NO_COMPLAINT.test(type)) return undefined;

	let complainants: Array<string | null> = complainantsIn(
		[{ name: OUTLOOK, value: toOutlook }, ...fields],
		source.limits,
	);
	const isRedacted = value(fields, 'redacted-address') !== '';
	if (complainants.length === 0 && !isRedacted) {
		complainants = words.recipients.map(({ address }) => toRecipient(address));
	}
	return { kind: 'complaint', recipients: complainants.flatMap((one) => toReported(one, type)) };
}

function complainantsIn(fields: HeaderField[], { reportRecipients }: EmailLimits): string[] {
	const named = fields.filter(({ name }) => COMPLAINANTS.has(name));
	const complainants: string[] = [];
	for (const field of named.slice(0, reportRecipients)) {
		const address = reportedAddress([field], field.name);
		if (address !== null) complainants.push(address);
	}
	return complainants;
}

function findReceipt(source: ReportText): Found | undefined {
	const [group] = groupsOf(source, RECEIPT_PART, 1);
	if (group === undefined) return undefined;
	const [, disposition = ''] = value(group, 'disposition').split(';', 2);
	const recipient = reportedAddress(group, 'original-recipient', 'final-recipient');
	const reason = value(group, 'error') || value(group, 'failure');
	return {
		kind: /^\s*displayed/i.test(disposition) ? 'read' : 'delivered',
		messageId: value(group, 'original-message-id'),
		recipients: toReported(recipient, reason),
	};
}

function findStatus(source: ReportText, words: BounceText): Found | undefined {
	const { limits } = source;
	const groups = statusGroups(source);
	const named: Array<{ group: HeaderField[]; recipient: string }> = [];
	for (const group of groups) {
		const recipient = reportedAddress(group, 'original-recipient', 'final-recipient');
		if (recipient !== null) named.push({ group, recipient });
	}
	if (named.length === 0) return undefined;

	const reasons = new Map(words.recipients.map(({ address, reason }) => [address, reason]));
	const commonReason = named.length === 1 ? words.reason : '';
	const recipients: ReportedRecipient[] = [];
	let worst = REPORT_KINDS.length - 1;
	for (const { group, recipient } of named) {
		const [status = '', comment = ''] = value(group, 'status').split('(', 2);
		// Servers that write no Diagnostic-Code give the reason in Status or in the text.
		const reason =
			withoutType(value(group, 'diagnostic-code')) ||
			comment.replace(/\)\s*$/, '') ||
			reasons.get(recipient) ||
			commonReason;
		recipients.push({ recipient, ...toReason(reason, status) });
		worst = Math.min(worst, severityOf(value(group, 'action')));
	}
	const [kind = 'bounce'] = REPORT_KINDS[worst] ?? [];
	const messageId = value(groups[0] ?? [], 'x-original-message-id') || words.messageId;
	return { kind, messageId, recipients: recipients.slice(0, limits.reportRecipients) };
}

/** The fields about the email, and about each recipient. Some servers write them into the text. */
function statusGroups(source: ReportText): HeaderField[][] {
	const { limits, origin, text } = source;
	const maxGroups = limits.reportRecipients + 1;
	const groups = groupsOf(source, STATUS_PART, maxGroups);
	if (groups.length > 0 || origin.automatic !== 'bounce') return groups;
	return groupsIn(text, maxGroups);
}

/** The index in {@link REPORT_KINDS}. An unknown action is as bad as possible. */
function severityOf(action: string): number {
	const index = REPORT_KINDS.findIndex(([, pattern]) => pattern.test(action));
	return Math.max(index, 0);
}

function findInText(source: ReportText, words: BounceText): Found | undefined {
	const { limits, origin, subject } = source;
	if (origin.automatic !== 'bounce') return undefined;
	const named = parseAddresses(origin.topmost('x-failed-recipients')).map(({ address }) => address);
	const commonReason = named.length === 1 ? words.reason : '';
	let failed = words.recipients;
	if (named.length > 0 && !words.isListed) {
		failed = named.map((address) => ({ address, reason: commonReason }));
	}
	const recipients: ReportedRecipient[] = [];
	for (const { address, reason } of failed.slice(0, limits.reportRecipients)) {
		const recipient = toRecipient(address);
		if (recipient !== null) recipients.push({ recipient, ...toReason(reason) });
	}
	const kind = DELAYED_SUBJECT.test(subject) ? 'delay' : words.kind;
	return { kind, messageId: words.messageId, recipients };
}

function toReported(recipient: string | null, diagnostic: string): ReportedRecipient[] {
	if (recipient === null) return [];
	return [{ recipient, status: null, diagnostic: toDiagnostic(diagnostic) }];
}

/** The other server's status, which comes last, is more precise than the sending server's own, such as `5.0.0`. */
function toReason(reason: string, status = ''): Omit<ReportedRecipient, 'recipient'> {
	const diagnostic = toDiagnostic(reason);
	const statuses = [status, diagnostic ?? ''].flatMap((text) => text.match(ENHANCED_STATUS) ?? []);
	return { status: statuses.at(-1) ?? null, diagnostic };
}

/** The groups of fields, separated by empty lines, in the first part with this type. */
function groupsOf(
	{ emailBody, leaves }: ReportText,
	type: RegExp,
	maxGroups: number,
): HeaderField[][] {
	const part = leaves.find(({ header }) => type.test(header.type));
	if (part === undefined) return [];
	const written = emailBody.slice(part.bodyStart, part.bodyEnd).slice(0, EMAIL_LIMITS.reportPart);
	return groupsIn(decodeBody(written, part.header.encoding).toString(), maxGroups);
}

function groupsIn(text: string, maxGroups: number): HeaderField[][] {
	const lines = text.slice(0, EMAIL_LIMITS.reportPart).replace(/\r\n/g, '\n').trim();
	return lines.split(/\n[ \t]*\n/, maxGroups).map((group) => readHeaderFields(group));
}

function value(fields: HeaderField[], name: string): string {
	return (firstValue(fields, name) ?? '').slice(0, EMAIL_LIMITS.field);
}

/** The first address in these fields, such as `rfc822; ada@example.com`. */
function reportedAddress(fields: HeaderField[], ...names: string[]): string | null {
	for (const name of names) {
		const [found] = parseAddresses(withoutType(value(fields, name)));
		const recipient = toRecipient(found?.address ?? '');
		if (recipient !== null) return recipient;
	}
	return null;
}

/** Removes the type before an address or a diagnostic code (RFC 3464, 2.1.2). */
function withoutType(text: string): string {
	return text.replace(/^[\w-]+\s*;/, '');
}

function toDiagnostic(text: string): string | null {
	const line = oneLine(text.slice(0, EMAIL_LIMITS.field)).replace(/\s+/g, ' ');
	return line.slice(0, EMAIL_LIMITS.reason).toWellFormed() || null;
}
