import { readWebhookId, webhookLocator } from '../../shared/fields';
import type { Operation } from '../operation';
import { simplifyWebhookField, webhookOutput } from './get';

const settingEnabled = (enabled: boolean): Pick<Operation, 'fields' | 'execute'> => ({
	fields: [webhookLocator, simplifyWebhookField],
	async execute(session, itemIndex) {
		const { context, service, inTurn } = session;
		const id = readWebhookId(context, itemIndex);
		const toOutput = webhookOutput(session, itemIndex);
		const entry = await inTurn(id, async () => await service.updateWebhook(id, { enabled }));
		return [toOutput(entry)];
	},
});

export const pauseWebhook: Operation = {
	name: 'Pause',
	value: 'pause',
	description: 'Stop deliveries without deleting the webhook',
	action: 'Pause webhook',
	...settingEnabled(false),
};

export const resumeWebhook: Operation = {
	name: 'Resume',
	value: 'resume',
	description: 'Resume deliveries of a paused webhook',
	action: 'Resume webhook',
	...settingEnabled(true),
};
