import type { Endpoint } from '../../../../../nodes/EmailIdentity/trigger/subscription/subscriptionUrl';

export const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	listening: 'production',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};
