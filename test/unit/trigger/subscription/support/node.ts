import type { EmailIdentityService } from '../../../../../nodes/EmailIdentity/api/service';
import type { StoredSubscription } from '../../../../../nodes/EmailIdentity/trigger/staticData';
import type { NodeRecord } from '../../../../../nodes/EmailIdentity/trigger/state/nodeRecord';
import { OwnWebhooks } from '../../../../../nodes/EmailIdentity/trigger/subscription/ownWebhooks';
import type { Endpoint } from '../../../../../nodes/EmailIdentity/trigger/webhooks/subscriptionUrl';
import { targetFor, type Target } from '../../../../../nodes/EmailIdentity/trigger/webhooks/target';
import { SubscriptionStates } from '../../../../../nodes/EmailIdentity/trigger/state/subscriptionState';
import { Cache } from '../../../../../lib/basics';

export const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	listening: 'production',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};

/** The node with the API key `key`. */
export const targetOf = (node: Endpoint, stored?: Partial<StoredSubscription>): Target =>
	targetFor(
		node,
		{ apiKey: 'key', baseUrl: 'https://mail.example' },
		stored as StoredSubscription | undefined,
	);

/** Lists are shared until the node changes something. */
export const ownWebhooks = (service: EmailIdentityService, target: Target, now = 0): OwnWebhooks =>
	new OwnWebhooks(service, target, new SubscriptionStates<NodeRecord>().at(NODE), {
		lists: new Cache(),
		now: () => 0,
		wallClock: () => now,
	});
