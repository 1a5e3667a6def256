import { deriveSecret } from '../../shared/secret';
import type { ReceivingIdentity } from '../restriction';
import type { StoredSubscription } from '../staticData';
import { leadsTo, subscriptionUrl, type Endpoint } from './address';

/** A node in one way of listening, and how its subscriptions are recognised. */
export type Target = ReturnType<typeof targetOf>;

/** @param stored from the static data, which is copied with a workflow: it may belong to another node */
export function targetOf(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
) {
	const isOwn =
		stored?.instanceId === endpoint.instanceId &&
		stored.listening === endpoint.listening &&
		leadsTo(stored.url, endpoint);
	return {
		...endpoint,
		apiKey,
		/** Only this node of this n8n, with this API key, can derive it. */
		secret: deriveSecret(apiKey, endpoint),
		/** The subscription that this n8n stored for this way of listening. */
		stored: isOwn ? stored : undefined,
	};
}

/** A subscription that receives deliveries. `identityId` is null for all identities, and for a domain. */
export type DesiredState = ReturnType<typeof desiredStateOf>;

/**
 * The subscription that the node's parameters and n8n's URL require.
 *
 * @param identity the chosen identity. For a domain, the subscription is not restricted and the node filters the emails:
 * restricted to a domain, it receives nothing (seen in Kurrier 3.5.0), because mailboxes belong to addresses
 */
export function desiredStateOf(
	target: Target,
	events: string[],
	identity: ReceivingIdentity | undefined,
) {
	return {
		url: subscriptionUrl(target, target.secret),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: target.listening === 'test' ? `[Test] n8n: ${target.name}` : `n8n: ${target.name}`,
	};
}
