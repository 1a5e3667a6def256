import { parseAddresses } from '../message/addresses';
import { firstValue, oneLine } from '../mime/headerFields';
import { EMAIL_LIMITS, type EmailLimits } from '../limits';
import type { LeafPart } from '../mime/mimeStructure';
import { toRecipient, type EmailOrigin } from '../message/origin';
import { readProse, type Prose } from './bounceText';
import { readHeaderFields, type HeaderField } from '../mime/splitEmail';
import { readMessageIds } from '../message/thread';
import { decodeBody } from '../mime/transferEncoding';
import type { DeliveryReport, EmailThread, ReportedRecipient, ReportKind } from '../types';

interface ReportSource {
	limits: EmailLimits;
	emailBody: string;
	leaves: LeafPart[];
	origin: EmailOrigin;
	thread: EmailThread;
	subject: string;
	text: string | null;
}

const STATUS_PART = /^message\/(?:global-)?delivery-status$/;
const RECEIPT_PART = /^message\/(?:global-)?disposition-notification$/;
const COMPLAINT_PART = /^message\/feedback-report$/;
const RETURNED_PART = /^(?:message\/(?:rfc822|global)(?:-headers)?|text\/rfc822-headers)$/;

const OUTLOOK = 'x-hmxmroriginalrecipient';
const COMPLAINANTS = new Set([OUTLOOK, 'original-rcpt-to', 'removal-recipient']);

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
 */
export function readDeliveryReport(source: ReportSource): DeliveryReport | undefined {
	const { automatic } = source.origin;
	if (automatic !== 'bounce' && automatic !== 'report') return undefined;
	const returned = groupsOf(source, RETURNED_PART, 1)[0] ?? [];
	const prose = readProse(source.text ?? '', returned);
	const found =
		readComplaint(source, returned, prose) ??
		readReceipt(source) ??
		readStatus(source, prose) ??
		readBounceText(source, prose);
	if (found === undefined) return undefined;
	const { kind, recipients, messageId = '' } = found;
	const { inReplyTo, references } = source.thread;
	const named = [value(returned, 'message-id'), messageId].flatMap((id) => readMessageIds(id));
	return { kind, messageId: named[0] ?? inReplyTo ?? references.at(-1) ?? null, recipients };
}

type Found = Omit<DeliveryReport, 'messageId'> & { messageId?: string };

/** Servers that write no Diagnostic-Code give the reason in Status or in the text. */
function readStatus(source: ReportSource, prose: Prose): Found | undefined {
	const { limits, origin } = source;
	const written = groupsOf(source, STATUS_PART, limits.reportRecipients + 1);
	const groups =
		written.length > 0 || origin.automatic !== 'bounce'
			? written
			: groupsIn(source.text ?? '', limits.reportRecipients);
	const named = groups.flatMap((group) => {
		const recipient = reportedAddress(group, 'original-recipient', 'final-recipient');
		return recipient === null ? [] : [{ group, recipient }];
	});
	const inText = new Map(prose.recipients.map(({ address, reason }) => [address, reason]));
	const reported = named.map(({ group, recipient }) => {
		const action = value(group, 'action');
		const kind = REPORT_KINDS.findIndex(([, pattern]) => pattern.test(action));
		const [status = '', comment = ''] = value(group, 'status').split('(', 2);
		const diagnostic =
			withoutType(value(group, 'diagnostic-code')) ||
			comment.replace(/\)\s*$/, '') ||
			inText.get(recipient) ||
			(named.length === 1 ? prose.reason : '');
		return { kind: Math.max(kind, 0), recipient: { recipient, ...toReason(diagnostic, status) } };
	});
	const worst = Math.min(...reported.map(({ kind }) => kind));
	const [kind] = REPORT_KINDS[worst] ?? [];
	if (kind === undefined) return undefined;
	return {
		kind,
		messageId: value(groups[0] ?? [], 'x-original-message-id') || prose.messageId,
		recipients: reported.map(({ recipient }) => recipient).slice(0, limits.reportRecipients),
	};
}

function toReported(recipient: string | null, diagnostic: string): ReportedRecipient[] {
	if (recipient === null) return [];
	return [{ recipient, status: null, diagnostic: toDiagnostic(diagnostic) }];
}

/** The other server's status, which comes last, is more precise than the sending server's own, such as `5.0.0`. */
function toReason(reason: string, status = ''): Omit<ReportedRecipient, 'recipient'> {
	const diagnostic = toDiagnostic(reason);
	const found = [status, diagnostic ?? ''].flatMap((text) => text.match(ENHANCED_STATUS) ?? []);
	return { status: found.at(-1) ?? null, diagnostic };
}

function readReceipt(source: ReportSource): Found | undefined {
	const [group] = groupsOf(source, RECEIPT_PART, 1);
	if (group === undefined) return undefined;
	const [, disposition = ''] = value(group, 'disposition').split(';', 2);
	const recipient = reportedAddress(group, 'original-recipient', 'final-recipient');
	return {
		kind: /^\s*displayed/i.test(disposition) ? 'read' : 'delivered',
		messageId: value(group, 'original-message-id'),
		recipients: toReported(recipient, value(group, 'error') || value(group, 'failure')),
	};
}

/** Reads a complaint. Outlook.com (JMRP) names only the recipient, in the header of the returned email. */
function readComplaint(
	source: ReportSource,
	returned: HeaderField[],
	prose: Prose,
): Found | undefined {
	const [group] = groupsOf(source, COMPLAINT_PART, 1);
	const ofOutlook = firstValue(returned, OUTLOOK) ?? source.origin.topmost(OUTLOOK);
	if (group === undefined && ofOutlook === '') return undefined;
	const type = value(group ?? [], 'feedback-type');
	if (NO_COMPLAINT.test(type)) return undefined;
	const named = [{ name: OUTLOOK, value: ofOutlook }, ...(group ?? [])]
		.filter(({ name }) => COMPLAINANTS.has(name))
		.slice(0, source.limits.reportRecipients)
		.map((field) => reportedAddress([field], field.name));
	const isRedacted = value(group ?? [], 'redacted-address') !== '';
	const returnedTo = isRedacted ? [] : prose.recipients.map(({ address }) => toRecipient(address));
	const recipients = named.some(Boolean) ? named : returnedTo;
	return { kind: 'complaint', recipients: recipients.flatMap((one) => toReported(one, type)) };
}

function readBounceText(
	{ limits, origin, subject }: ReportSource,
	prose: Prose,
): Found | undefined {
	if (origin.automatic !== 'bounce') return undefined;
	const named = parseAddresses(origin.topmost('x-failed-recipients')).map(({ address }) => address);
	const reason = named.length === 1 ? prose.reason : '';
	const isWritten = prose.recipients.length > 0 && (prose.isListed || named.length === 0);
	const listed = isWritten ? prose.recipients : named.map((address) => ({ address, reason }));
	return {
		kind: DELAYED_SUBJECT.test(subject) ? 'delay' : prose.kind,
		messageId: prose.messageId,
		recipients: listed.slice(0, limits.reportRecipients).flatMap(({ address, reason: about }) => {
			const recipient = toRecipient(address);
			return recipient === null ? [] : [{ recipient, ...toReason(about) }];
		}),
	};
}

/** The groups of fields, separated by empty lines, in the first part with this type. */
function groupsOf(
	{ emailBody, leaves }: ReportSource,
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
	return lines.split(/\n[ \t]*\n/, maxGroups).map(readHeaderFields);
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
const withoutType = (text: string): string => text.replace(/^[\w-]+\s*;/, '');

function toDiagnostic(text: string): string | null {
	const line = oneLine(text.slice(0, EMAIL_LIMITS.field)).replace(/\s+/g, ' ');
	return line.slice(0, EMAIL_LIMITS.reason).toWellFormed() || null;
}
