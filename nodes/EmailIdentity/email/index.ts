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
	EmailFile,
	EmailReading,
	EmailThread,
	KnownEmail,
	ListedFile,
	OpenedEmail,
	ReadEmailOptions,
	TextFormat,
} from './types';
