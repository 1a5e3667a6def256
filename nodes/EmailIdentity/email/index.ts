export { parseAddresses } from './addresses';
export { toAnswer, type Answer } from './answer';
export { asSigned, isAlike, readWhole, withSpaces } from './asSigned';
export type { Automatic } from './automatic';
export { readContentHeader, type ContentHeader, type ReadableEmail } from './contentHeader';
export {
	extensionOf,
	fileKinds,
	isExtension,
	isPicture,
	usualSpelling,
	type FileKinds,
} from './fileTypes';
export { decodeCharset } from './charsets';
export { openEmail } from './openEmail';
export { tagOf, toRecipient, type EmailOrigin } from './origin';
export {
	findHeader,
	isMissing,
	nextLine,
	readHeaderFields,
	splitEmail,
	type EmailText,
	type WrittenField,
} from './splitEmail';
export { decodeBody } from './transferEncoding';
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
