export { parseAddresses } from './message/addresses';
export {
	type Answer,
	findAnswer,
	type NoAnswerReason,
	type ReplyFields,
	toPlainRecipient,
} from './message/replyFields';
export type { Automatic } from './message/automatic';
export { withoutCommentsAndQuotes } from './mime/comments';
export {
	extensionOf,
	fileKinds,
	type FileKinds,
	isExtension,
	usualSpelling,
} from './files/fileTypes';
export { containsAscii } from './mime/charsets';
export type { MimeOutline, PartHeader } from './mime/mimeStructure';
export { openEmail } from './openEmail';
export { type EmailOrigin, toRecipient } from './message/origin';
export { readSubject } from './message/subjectPrefixes';
export { decodeRawEmail, isRaw, toBytes, toRawText } from './mime/rawBytes';
export { readHeaderFields, type WrittenField } from './mime/headerFields';
export { type EmailText, isAbsent, hasEmailField, splitEmail } from './mime/splitEmail';
export type { EmailFile, ListedFile } from './files/attachmentTypes';
export type { EmailAddress, EmailThread } from './message/headerTypes';
export type { DeliveryReport } from './reports/deliveryReport';
export type { TextFormat } from './text/blocks/blocks';
export type { Email, EmailReading, KnownEmail, OpenedEmail, ReadEmailOptions } from './emailTypes';
export { textOfHtml } from './shownText';
export { phrasesFor, type Purpose } from './words/phrases';
