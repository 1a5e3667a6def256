export { parseAddresses } from './addresses';
export { type ReplyFields, toReplyFields } from './replyFields';
export type { Automatic } from './automatic';
export { withoutCommentsAndQuotes } from './headerFields';
export {
	extensionOf,
	fileKinds,
	type FileKinds,
	isExtension,
	isPicture,
	usualSpelling,
} from './fileTypes';
export { openEmail } from './openEmail';
export { type EmailOrigin, tagOf, toRecipient } from './origin';
export { type EmailText, isNoEmail, splitEmail, type WrittenField } from './splitEmail';
export type {
	DeliveryReport,
	Email,
	EmailAddress,
	EmailFile,
	EmailReading,
	EmailThread,
	KnownEmail,
	ListedFile,
	OpenedEmail,
	ReadEmailOptions,
	TextFormat,
} from './types';
