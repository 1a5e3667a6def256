import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

const { version, webhooks = [] } = new EmailIdentityTrigger().description;

test('n8n evaluates no expression for a delivery', () => {
	// For a node of version 1, it always evaluates one.
	expect(version).toBeGreaterThanOrEqual(2);
	expect(Object.values(webhooks[0] ?? {}).filter((value) => /^=/.test(String(value)))).toEqual([]);
});

test('n8n answers when it has recorded the execution, and takes the body from the delivery', () => {
	expect(webhooks).toMatchObject([{ responseMode: 'onReceived', responseData: '' }]);
});
