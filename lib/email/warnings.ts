import type { FilePart } from './files/fileList';
import type { EmailLimits } from './limits';
import { unknownCharsetOf } from './mime/encodedWords';
import { oneLine } from './mime/headerFields';
import type { LeafPart } from './mime/parts';
import type { EmailText } from './mime/splitEmail';
import type { TextPart } from './mime/textParts';
import type { DeliveryReport } from './reports/deliveryReport';
import { sealedWarning } from './sealedEmail';
import type { Email } from './emailTypes';

const LOST_LETTERS =
	'Some characters of this email were lost before it reached n8n. They are shown as \ufffd. The sender used a charset other than UTF-8 without a transfer encoding.';

const UNREADABLE_LETTERS =
	'Some characters of this email cannot be read. They are shown as \ufffd.';

const LOST_BYTES =
	'Some bytes of files were lost before this email reached n8n. The sender used no transfer encoding for them, and the service reads emails as UTF-8.';

const LOST_ADDRESSES =
	'Some addresses are missing because a list of addresses is too long. With Include Headers, the item has the whole list.';

const LISTS_OF_ADDRESSES: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'reply-to']);

/** Characters of the name of a charset in a warning. */
const MAX_CHARSET = 40;

/** An email that was read, and what it was read from. */
interface EmailWithSource {
	email: Email;
	/** The text before anything was removed. */
	visible: string | null;
	written: EmailText;
	leaves: readonly LeafPart[];
	texts: readonly TextPart[];
	files: readonly FilePart[];
	report: DeliveryReport | undefined;
	limits: EmailLimits;
}

/** Sentences about what is missing or may be wrong in an email as it was read. */
export function warningsAbout({
	email,
	visible,
	written,
	leaves,
	texts,
	files,
	report,
	limits,
}: EmailWithSource): string[] {
	const sealed = sealedWarning(leaves, visible);
	const letters = lettersWarning(written, email);
	const lostBytes = hasLostBytes(written, files) ? LOST_BYTES : undefined;
	const charset = unknownCharset(texts, written);
	const all = [
		sealed,
		letters,
		lostBytes,
		charset && unknownCharsetWarning(charset),
		hasLongList(written, limits) ? LOST_ADDRESSES : undefined,
		manyRecipientsWarning(report, limits),
	];
	return all.filter((warning) => warning !== undefined);
}

/** Why the reader sees characters that are none. */
function lettersWarning({ body, fields }: EmailText, email: Email): string | undefined {
	const names = [email.from?.name ?? null, ...email.attachments.map(({ fileName }) => fileName)];
	const isShown = [email.subject, email.text, email.html, ...names].some(isDamaged);
	if (!isShown) return undefined;
	const wasLost = isDamaged(body) || fields.some(({ value }) => isDamaged(value));
	return wasLost ? LOST_LETTERS : UNREADABLE_LETTERS;
}

/** Whether bytes of files that are not UTF-8 were lost before the email arrived. */
function hasLostBytes({ body }: EmailText, files: readonly FilePart[]): boolean {
	return files.some(isWrittenWithDamage) && isDamaged(body);
}

function isWrittenWithDamage({ part, body, content }: FilePart): boolean {
	if (content !== undefined || part.header.encoding !== 'none') return false;
	return isDamaged(body.slice(part.bodyStart, part.bodyEnd));
}

function isDamaged(text: string | null): boolean {
	return text?.includes('\ufffd') === true;
}

/** The charset of a text, of the subject or of a name that is unknown. */
function unknownCharset(texts: readonly TextPart[], { fields }: EmailText): string | undefined {
	const guessed = texts.find(({ isGuessed }) => isGuessed === true)?.charset;
	if (guessed !== undefined) return guessed;
	for (const { name, value } of fields) {
		const isShown = name === 'subject' || LISTS_OF_ADDRESSES.has(name);
		const unknown = isShown ? unknownCharsetOf(value) : undefined;
		if (unknown !== undefined) return unknown;
	}
	return undefined;
}

function hasLongList({ fields }: EmailText, { addressList }: EmailLimits): boolean {
	return fields.some(
		({ name, value }) => value.length > addressList && LISTS_OF_ADDRESSES.has(name),
	);
}

function manyRecipientsWarning(
	report: DeliveryReport | undefined,
	{ reportRecipients }: EmailLimits,
): string | undefined {
	if (report === undefined || report.recipients.length < reportRecipients) return undefined;
	return `Only ${reportRecipients} recipients of the report were read.`;
}

function unknownCharsetWarning(charset: string): string {
	const name = oneLine(charset).slice(0, MAX_CHARSET);
	return `The charset "${name}" is unknown, so letters of this email may be wrong.`;
}
