import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

const { webhooks = [], version } = new EmailIdentityTrigger().description;

test('there is one address, and nothing of it is an expression that n8n would evaluate at every delivery', () => {
	const expressions = webhooks.flatMap((webhook) =>
		Object.values(webhook).filter((value) => String(value).startsWith('=')),
	);

	expect(webhooks).toHaveLength(1);
	expect(expressions).toEqual([]);
	expect(version).toBeGreaterThanOrEqual(2);
});

test('the panel does not show the address, which gives only 401 without the secret of the subscription', () => {
	expect(webhooks).toMatchObject([{ ndvHideUrl: true }]);
});
