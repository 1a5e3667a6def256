export { readEmail } from './readEmail';
export { readHeaders } from './readHeaders';
export type {
	Email,
	EmailAddress,
	EmailAttachment,
	EmailFile,
	EmailHeaders,
	EmailReading,
	KnownEmail,
	ReadEmailOptions,
} from './types';
