import { digestSecret } from '../../../../nodes/EmailIdentity/trigger/secret';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import type { Endpoint } from '../../../../nodes/EmailIdentity/trigger/subscription/endpoint';
import { targetOf, type Target } from '../../../../nodes/EmailIdentity/trigger/subscription/target';

const ENDPOINT = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};

/** One node of one n8n, listening for production; with what it stored, and other than usual, if that is given. */
export function nodeTarget(
	stored?: Partial<StoredSubscription>,
	changes: Partial<Endpoint> = {},
): Target {
	const endpoint = { ...ENDPOINT, ...changes };
	const { secrets } = targetOf(endpoint, 'key', undefined);
	const whole: StoredSubscription = {
		id: 'stored',
		instanceId: ENDPOINT.instanceId,
		url: ENDPOINT.address,
		ownerId: 'user',
		secretDigest: digestSecret(secrets.production),
		listening: 'production',
		...stored,
	};
	return targetOf(endpoint, 'key', stored && whole);
}
