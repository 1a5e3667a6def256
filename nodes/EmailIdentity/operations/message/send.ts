import type { SendingOperation } from '../operation';
import { fromField, optionsField, subjectField, textFields, toField } from './sendingFields';

/** `POST /email/send`, which a service may have. */
export const sendMessage: SendingOperation = {
	name: 'Send',
	value: 'send',
	description: 'Send an email',
	action: 'Send message',
	fields: [fromField, toField, subjectField, ...textFields, optionsField()],
	async prepare(item) {
		const { prepareNewEmail } = await import('./sendEmail');
		return await prepareNewEmail(item);
	},
};
