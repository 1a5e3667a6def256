import { webhookLocator } from '../../shared/locators';
import type { Operation } from '../runOperation';
import { simplifyWebhookField, webhookOutput } from './get';
import { applyChanges } from './update';

const settingEnabled = (enabled: boolean): Pick<Operation, 'execute' | 'fields' | 'output'> => ({
	fields: [webhookLocator, simplifyWebhookField],
	output: webhookOutput,
	execute: async (item) => await applyChanges(item, async () => ({ enabled })),
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
