import { createHash } from 'crypto';
import { NodeOperationError, type IBinaryData } from 'n8n-workflow';

import { escapeHtml, splitAddress } from '../../../../lib/basics';
import { asciiDomain } from '../../../../lib/dns';
import { parseAddresses, toPlainRecipient } from '../../../../lib/email';
import type { OutgoingEmail, OutgoingFile } from '../../api/data/emailRequest';
import { readTextField } from '../../shared/editor/fields';
import { enteredAddress, nameOfChosen } from '../../shared/editor/locators';
import { readSendingIdentity } from '../chosenIdentity';
import type { Item } from '../operation';
import { fromField } from './sendingFields';

/** Which texts an email has, by the field Email Format. */
const FORMATS = new Map<unknown, ReadonlyArray<'text' | 'html'>>([
	['text', ['text']],
	['html', ['html']],
	['both', ['text', 'html']],
]);

const LABELS = { text: 'Text', html: 'HTML' };

/** The identity that sends an email. */
export interface Sender {
	identityId: string;
	/** For errors; absent if it is not known. */
	name?: string;
}

/** A file of an input item. Its content is read again when the email is sent. */
interface FileOfItem {
	/** The name of the binary field. */
	field: string;
	/** The same for the same name, type and bytes. */
	digest: string;
}

/** What an email says. At least one of `text` and `html` is given. */
export interface EmailContent {
	text?: string;
	html?: string;
	files: FileOfItem[];
}

/**
 * @param given the field From, at its place in the node
 * @throws NodeOperationError if no identity is chosen, or if the account has none with the address
 */
export async function readSender(item: Item, given: unknown): Promise<Sender> {
	const identityId = await readSendingIdentity(item, fromField, given);
	return { identityId, name: enteredAddress(given) ?? nameOfChosen(given) };
}

/**
 * @param given the field To. One address, without syntax that programs read differently
 * @throws NodeOperationError for anything else; it does not quote the field
 */
export function readToAddress(item: Item, given: unknown): string {
	const { context } = item;
	const written = readTextField(item, 'To', given).trim();
	if (written === '') {
		throw new NodeOperationError(context.getNode(), "'To' is empty", {
			description: 'Enter the address that gets the email.',
		});
	}
	const [mailbox, ...others] = parseAddresses(written);
	if (others.length > 0) {
		throw new NodeOperationError(context.getNode(), 'This operation sends to one address', {
			description: `'To' has ${others.length + 1}. Use one item for each.`,
		});
	}
	const address = mailbox?.address ?? '';
	const recipient = toPlainRecipient(address);
	if (recipient !== null && isWholeMailbox(written, address)) return recipient;
	throw new NodeOperationError(context.getNode(), "'To' is not an email address", {
		description: 'Enter one address, such as ada@example.org, and nothing else.',
	});
}

/**
 * Whether a text is an address, or a name and an address in angle brackets. Of two addresses with a blank between them, programs
 * that read mailboxes take one for the name of the other; after a line break, a stranger's text could name other recipients.
 */
function isWholeMailbox(written: string, address: string): boolean {
	if (/\p{Cc}/u.test(written)) return false;
	return written === address || written.endsWith(`<${address}>`);
}

/** @param given the field Subject @returns one line, which cannot start another header field; '' without a subject */
export function readSubjectLine(item: Item, given: unknown): string {
	return withoutLineBreaks(readTextField(item, 'Subject', given));
}

/** @throws NodeOperationError if the subject is empty */
export function requireSubject({ context }: Item, subject: string): void {
	if (subject !== '') return;
	throw new NodeOperationError(context.getNode(), "The 'Subject' is empty", {
		description: 'Enter a subject. Services refuse emails without one.',
	});
}

/** Reads Email Format, Text, HTML and Attachments. @throws NodeOperationError if a text or a file is missing */
export async function readContent(item: Item): Promise<EmailContent> {
	const { context, parameter } = item;
	const wanted = FORMATS.get(parameter('emailFormat', 'text'));
	if (wanted === undefined) {
		throw new NodeOperationError(context.getNode(), "Unknown value for 'Email Format'", {
			description: 'Use text, html or both.',
		});
	}
	const content: EmailContent = { files: [] };
	for (const name of wanted) {
		const label = LABELS[name];
		const text = readTextField(item, label, parameter(name, ''));
		if (text.trim() === '') {
			throw new NodeOperationError(context.getNode(), `'${label}' is empty`, {
				description: 'Enter what the email says.',
			});
		}
		content[name] = text;
	}
	for (const field of fieldsToAttach(item)) {
		const { filename, contentType, content: bytes } = await readFile(item, field);
		const digest = digestOf([filename, contentType, bytes]);
		content.files.push({ field, digest });
	}
	return content;
}

/** Plain text in HTML. Not every email program keeps line breaks and spaces by a style. */
export function htmlOfText(text: string): string {
	return escapeHtml(text)
		.replaceAll('  ', ' &nbsp;')
		.replace(/\r\n?|\n/g, '<br>\n');
}

/** The same for the same values. */
export function digestOf(facts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(facts)).digest('base64');
}

/** The email for the service, with its files in memory. */
export async function toOutgoingEmail(
	item: Item,
	sender: Sender,
	to: string,
	subject: string,
	{ text, html, files }: EmailContent,
): Promise<OutgoingEmail> {
	const attachments: OutgoingFile[] = [];
	for (const { field } of files) attachments.push(await readFile(item, field));
	const { identityId, name } = sender;
	return { identityId, to: toAsciiAddress(to), subject, text, html, attachments, sender: name };
}

/** Services refuse other letters in a domain. One that could be mistaken for another stays as it is. */
function toAsciiAddress(address: string): string {
	const { mailbox, domain } = splitAddress(address);
	const ascii = asciiDomain(domain);
	return ascii === null ? address : `${mailbox}@${ascii}`;
}

/** Each once. */
function fieldsToAttach(item: Item): Set<string> {
	const written = readTextField(item, 'Attachments', item.parameter('options.attachments', ''));
	const names = written.split(',').map((name) => name.trim());
	return new Set(names.filter((name) => name !== ''));
}

async function readFile({ context, index }: Item, field: string): Promise<OutgoingFile> {
	// A Code node can make files without a type, and with a number as name.
	const { fileName, mimeType }: Partial<IBinaryData> = context.helpers.assertBinaryData(
		index,
		field,
	);
	const content = await context.helpers.getBinaryDataBuffer(index, field);
	return {
		filename: withoutLineBreaks(String(fileName ?? '')) || field,
		contentType: withoutLineBreaks(String(mimeType ?? '')) || 'application/octet-stream',
		content: content.toString('base64'),
	};
}

/** A line break could start another header field. */
function withoutLineBreaks(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
