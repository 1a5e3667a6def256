import type { ServiceOperation } from '../operation';
import {
	contentFields,
	fromField,
	MAX_EMAILS_SENT_AT_ONCE,
	subjectField,
	toField,
} from './emailFields';

/** `POST /email/send`, which a service may have. */
export const sendMessage: ServiceOperation = {
	name: 'Send',
	value: 'send',
	description: 'Send an email',
	action: 'Send message',
	fields: [fromField, toField, subjectField, ...contentFields],
	maxItemsAtOnce: MAX_EMAILS_SENT_AT_ONCE,
	async execute(item) {
		const { sendNewEmail } = await import('./outgoingEmail');
		return [await sendNewEmail(item)];
	},
};
