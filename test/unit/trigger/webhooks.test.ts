import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

test('n8n evaluates no expression at a delivery, and the panel shows the webhook URL', () => {
	const { webhooks = [], version } = new EmailIdentityTrigger().description;
	const values = webhooks.flatMap((webhook) => Object.values(webhook));

	expect(webhooks).toHaveLength(1);
	expect(values.filter((value) => String(value).startsWith('='))).toEqual([]);
	expect(webhooks[0]?.ndvHideUrl).toBeUndefined();
	expect(version).toBeGreaterThanOrEqual(2);
});
