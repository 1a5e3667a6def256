export { toAnswer, type Answer } from './answer';
export { asSigned } from './asSigned';
export type { Automatic } from './automatic';
export {
	extensionOf,
	fileKinds,
	isExtension,
	isPicture,
	usualSpelling,
	type FileKinds,
} from './fileTypes';
export { openEmail } from './openEmail';
export { tagOf, toRecipient, type EmailOrigin } from './origin';
export type {
	DeliveryReport,
	Email,
	EmailAddress,
	EmailAttachment,
	EmailFile,
	EmailReading,
	EmailThread,
	KnownEmail,
	ListedFile,
	OpenedEmail,
	OpenEmailOptions,
	ReadEmailOptions,
	TextFormat,
} from './types';
