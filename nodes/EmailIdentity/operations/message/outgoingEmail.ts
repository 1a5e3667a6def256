import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { parseAddresses, toPlainRecipient } from '../../../../lib/email';
import type { AcceptedEmail, OutgoingEmail, OutgoingFile } from '../../api/data/emailRequest';
import { enteredAddress, nameOfChosen } from '../../shared/locators';
import { readChosenIdentity } from '../chosenIdentity';
import type { Item } from '../operation';
import { fromField } from './emailFields';

/** Which texts an email has, by the field Email Format. */
const FORMATS: Readonly<Record<string, ReadonlyArray<'text' | 'html'>>> = {
	text: ['text'],
	html: ['html'],
	both: ['text', 'html'],
};

const LABELS = { text: 'Text', html: 'HTML' };

/** @returns the output item */
export async function sendNewEmail(item: Item): Promise<IDataObject> {
	const email = await readOutgoingEmail(item);
	requireOneRecipient(item, email);
	requireSubject(item, email);
	return toSentEmail(email, await item.service.sendEmail(email));
}

/** The output of an email that the service accepted. */
export function toSentEmail({ to, subject }: OutgoingEmail, accepted: AcceptedEmail): IDataObject {
	const { messageId, status } = accepted;
	const sent: IDataObject = { messageId, to: to.join(', '), subject };
	if (status !== undefined) sent.status = status;
	return sent;
}

/**
 * Reads the fields of an email to send. Neither the subject nor an address can contain a line break.
 *
 * @throws NodeOperationError if a field is missing or invalid; it never quotes the text or the recipients
 */
export async function readOutgoingEmail(item: Item): Promise<OutgoingEmail> {
	const to = readRecipients(item);
	const subject = withoutLineBreaks(readTextField(item, 'subject', 'Subject'));
	const texts = readTexts(item);
	const attachments = await readAttachedFiles(item);
	const identityId = await readChosenIdentity(item, fromField);
	const from = item.parameter('identityId', '');
	const sender = enteredAddress(from) ?? nameOfChosen(from);
	return { identityId, to, subject, ...texts, attachments, sender };
}

/** @throws NodeOperationError if there are several recipients */
export function requireOneRecipient({ context }: Item, { to }: OutgoingEmail): void {
	if (to.length === 1) return;
	throw new NodeOperationError(context.getNode(), 'This operation sends to one address', {
		description: `'To' has ${to.length}. Use one item for each, for example with the Split Out node.`,
	});
}

/** @throws NodeOperationError if the subject is empty */
export function requireSubject({ context }: Item, { subject }: OutgoingEmail): void {
	if (subject !== '') return;
	throw new NodeOperationError(context.getNode(), "The 'Subject' is empty", {
		description: 'Enter a subject. Services refuse emails without one.',
	});
}

function readRecipients(item: Item): string[] {
	const written = readTextField(item, 'to', 'To');
	if (written.trim() === '') throw noRecipient(item);
	// After a line break, a stranger's text could name other recipients.
	if (/\p{Cc}/u.test(written.trim())) throw invalidRecipient(item);
	const recipients = new Set<string>();
	for (const { address } of parseAddresses(written)) {
		const plain = toPlainRecipient(address);
		if (plain === null) throw invalidRecipient(item);
		recipients.add(plain);
	}
	if (recipients.size === 0) throw invalidRecipient(item);
	return [...recipients];
}

function invalidRecipient({ context }: Item): NodeOperationError {
	return new NodeOperationError(context.getNode(), "'To' is not an email address", {
		description: 'Enter an address such as ada@example.org.',
	});
}

/** The trigger's items say by `thread.answer` whether an email may be answered. */
function noRecipient({ context, index }: Item): NodeOperationError {
	const { thread, delivery } = context.getInputData()[index]?.json ?? {};
	const mustNotBeAnswered = (thread as IDataObject | undefined)?.answer === null;
	if (!mustNotBeAnswered) {
		return new NodeOperationError(context.getNode(), "'To' is empty", {
			description: 'Enter the address that gets the email.',
		});
	}
	const kind = (delivery as IDataObject | undefined)?.automatic;
	const reason = typeof kind === 'string' && /^\w{1,20}$/.test(kind) ? ` (${kind})` : '';
	return new NodeOperationError(context.getNode(), 'This email must not be answered', {
		description: `It was sent by a program${reason} or by one of your own addresses, so its thread.answer is empty. Add an If node that lets emails through whose thread.answer is not empty, or set 'Ignore' in the trigger.`,
	});
}

function readTexts(item: Item): Pick<OutgoingEmail, 'text' | 'html'> {
	const { context, parameter } = item;
	const wanted = FORMATS[String(parameter('emailFormat', 'text'))];
	if (wanted === undefined) {
		throw new NodeOperationError(context.getNode(), "Unknown value for 'Email Format'", {
			description: 'Use text, html or both.',
		});
	}
	const texts: Pick<OutgoingEmail, 'text' | 'html'> = {};
	for (const name of wanted) {
		const label = LABELS[name];
		const text = readTextField(item, name, label);
		if (text.trim() === '') {
			throw new NodeOperationError(context.getNode(), `'${label}' is empty`, {
				description: 'Enter what the email says.',
			});
		}
		texts[name] = text;
	}
	return texts;
}

async function readAttachedFiles(item: Item): Promise<OutgoingFile[]> {
	const { context, index } = item;
	const names = readTextField(item, 'options.attachments', 'Attachments').split(',');
	const files: OutgoingFile[] = [];
	for (const name of new Set(names.map((one) => one.trim()))) {
		if (name === '') continue;
		const { fileName, mimeType } = context.helpers.assertBinaryData(index, name);
		const content = await context.helpers.getBinaryDataBuffer(index, name);
		files.push({
			filename: withoutLineBreaks(fileName ?? '') || name,
			contentType: withoutLineBreaks(mimeType),
			content: content.toString('base64'),
		});
	}
	return files;
}

/** @throws NodeOperationError if an expression returns an object or a list */
function readTextField({ context, parameter }: Item, name: string, label: string): string {
	const value = parameter(name, '') ?? '';
	if (typeof value !== 'object') return String(value);
	throw new NodeOperationError(context.getNode(), `'${label}' is not a text`, {
		description: 'Its expression returns an object or a list. Use one that returns a text.',
	});
}

/** A line break could start another header field. */
function withoutLineBreaks(text: string): string {
	return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
