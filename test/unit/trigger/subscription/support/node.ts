import type { EmailIdentityService } from '../../../../../nodes/EmailIdentity/api/service';
import {
	OwnWebhooks,
	type Target,
} from '../../../../../nodes/EmailIdentity/trigger/subscription/ownWebhooks';
import type { Endpoint } from '../../../../../nodes/EmailIdentity/trigger/subscription/subscriptionUrl';
import { Cache } from '../../../../../lib/basics';

export const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	listening: 'production',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};

/** Lists are shared until the node changes something. */
export const ownWebhooks = (service: EmailIdentityService, target: Target, now = 0): OwnWebhooks =>
	new OwnWebhooks(service, target, 'https://mail.example', {
		lists: new Cache(),
		now: () => 0,
		clock: () => now,
	});
