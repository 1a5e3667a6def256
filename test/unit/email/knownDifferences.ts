const UNNAMED = 'A file without a name gets one; mailparser leaves it without.';
const REPORT_TEXT = 'Machine-readable status is a file of its own; mailparser adds it to the text.';
const REPORT_FILE = 'mailparser has no file for the part that it put into the text.';
const BLANK_LINES = 'Pieces of text that follow each other are set apart by one more line break.';
const OWN_MESSAGE =
	"A message within the message stays a file; mailparser puts it into the email's own text.";
const MENDED_BOUNDARY = 'The boundary that is really used is found; mailparser finds no parts.';
const BOUNDARY_BLANKS =
	'Blanks after a boundary are allowed (RFC 2046, 5.1.1); mailparser takes the line for text.';
const COMMENT = 'Comments are allowed in Content-Type (RFC 2045, 5.1); mailparser finds no parts.';
const LEADING =
	'What stands before the first header is passed over; mailparser takes the headers for text.';

const MENDED_TYPE =
	'A content type that is none counts as text (RFC 2045, 5.2), and a missing semicolon is put in.';

/** Where our reading of a corpus file differs from mailparser's on purpose: file, field, reason. */
export const knownDifferences: Record<string, Record<string, string>> = {
	'8bit-latin1-lost.eml': {
		text: 'Letters that were lost before stay U+FFFD; mailparser reads its bytes in another charset.',
	},
	'address-idn.eml': { to: 'An address stays as written; mailparser turns Punycode into letters.' },
	'alternative-blank-text.eml': {
		html: 'Text behind HTML is shown in the HTML too; mailparser is told not to turn text into HTML.',
		text: 'Where the alternative that is text is blank, the text is that of the HTML.',
	},
	'amp-email.eml': { attachmentNames: UNNAMED },
	'apple-mail-mixed-inline-pdf.eml': { text: BLANK_LINES },
	'attachment-name-very-long.eml': { attachmentNames: 'File systems allow 255 bytes.' },
	'attachment-names-hostile.eml': { attachmentNames: 'Names are made safe and unique.' },
	'bounce-dsn.eml': {
		text: REPORT_TEXT,
		attachmentTypes: REPORT_FILE,
		attachmentNames: REPORT_FILE,
		attachmentContentIds: REPORT_FILE,
		attachmentContents: REPORT_FILE,
	},
	'bounce-headers-only.eml': {
		text: REPORT_TEXT,
		attachmentTypes: REPORT_FILE,
		attachmentNames: REPORT_FILE,
		attachmentContentIds: REPORT_FILE,
		attachmentContents: REPORT_FILE,
	},
	'boundary-missing.eml': { text: MENDED_BOUNDARY, html: MENDED_BOUNDARY },
	'boundary-nowhere.eml': {
		text: 'A container without parts is read as text; mailparser gives no text.',
	},
	'boundary-unusual.eml': { text: BOUNDARY_BLANKS, attachmentContents: BOUNDARY_BLANKS },
	'boundary-with-comment.eml': {
		text: COMMENT,
		attachmentTypes: COMMENT,
		attachmentNames: COMMENT,
		attachmentContentIds: COMMENT,
		attachmentContents: COMMENT,
	},
	'boundary-wrong.eml': {
		text: MENDED_BOUNDARY,
		attachmentTypes: MENDED_BOUNDARY,
		attachmentNames: MENDED_BOUNDARY,
		attachmentContentIds: MENDED_BOUNDARY,
		attachmentContents: MENDED_BOUNDARY,
	},
	'byte-order-mark.eml': { from: LEADING },
	'calendar-invite-google.eml': { attachmentNames: UNNAMED },
	'calendar-only.eml': { attachmentNames: UNNAMED },
	'case-and-blanks-in-headers.eml': {
		from: 'Blanks before the colon were once allowed (RFC 5322, 4.5); mailparser misses the header.',
		subject: 'Folding blanks stay (RFC 5322, 2.2.3); mailparser makes one of several.',
	},
	'charset-missing.eml': {
		text: 'What names no charset and is no UTF-8 is Windows-1252; mailparser takes all for UTF-8.',
	},
	'date-broken.eml': { date: 'No date is null; mailparser takes the time of reading.' },
	'digest.eml': {
		text: OWN_MESSAGE,
		attachmentTypes: OWN_MESSAGE,
		attachmentNames: OWN_MESSAGE,
		attachmentContentIds: OWN_MESSAGE,
		attachmentContents: OWN_MESSAGE,
	},
	'encoded-line-break-in-subject.eml': {
		subject: 'Line breaks in a subject would forge headers further on.',
	},
	'feedback-report.eml': {
		text: OWN_MESSAGE,
		attachmentTypes: OWN_MESSAGE,
		attachmentNames: OWN_MESSAGE,
		attachmentContentIds: OWN_MESSAGE,
		attachmentContents: OWN_MESSAGE,
	},
	'format-flowed-quotes.eml': {
		text: 'Lines are joined as they are quoted (RFC 3676, 4.5); mailparser joins them whatever their marks.',
	},
	'forwarded-rfc822-undeclared.eml': { attachmentNames: UNNAMED },
	'forwarded-twice.eml': { attachmentNames: UNNAMED },
	'leading-blank-lines.eml': {
		from: LEADING,
		to: LEADING,
		subject: LEADING,
		date: LEADING,
		messageId: LEADING,
		text: LEADING,
	},
	'mailing-list-footer.eml': { text: BLANK_LINES },
	'message-id-broken.eml': {
		inReplyTo: 'The ID is taken out of the words around it.',
		references: 'IDs are told apart at their brackets, not only at blanks.',
	},
	'multipart-mixed-html-and-text.eml': {
		text: BLANK_LINES,
		html: 'Text before HTML is shown in the HTML too; mailparser is told not to turn text into HTML.',
	},
	'nested-too-deeply.eml': {
		parsed: 'A hundred levels are enough; then the headers and the service say what is known.',
		text: 'Not parsed, see above.',
	},
	'newsletter-html-only.eml': { text: 'Each library turns HTML into text in its own style.' },
	'nul-bytes.eml': { subject: 'A control character in a subject becomes a blank.' },
	'pgp-encrypted.eml': { attachmentNames: UNNAMED },
	'read-receipt.eml': { attachmentNames: UNNAMED },
	'repeated-headers.eml': {
		subject: 'The first of several counts, as in mail programs; mailparser takes the last.',
	},
	'text-attachment-inline-named.eml': { text: BLANK_LINES },
	'type-without-semicolon.eml': {
		text: MENDED_TYPE,
		attachmentTypes: MENDED_TYPE,
		attachmentNames: MENDED_TYPE,
		attachmentContentIds: MENDED_TYPE,
		attachmentContents: MENDED_TYPE,
	},
	'type-without-subtype.eml': {
		text: MENDED_TYPE,
		attachmentTypes: MENDED_TYPE,
		attachmentNames: MENDED_TYPE,
		attachmentContentIds: MENDED_TYPE,
		attachmentContents: MENDED_TYPE,
	},
	'vcard-and-octet-stream.eml': {
		attachmentTypes: 'The type stays as declared; mailparser guesses it from the name.',
	},
};
