import type { Webhook } from '../../api/resources';
import { deriveSecret, secretOfUrl, webhookPathIn } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtAddress, leadsTo, type Endpoint } from './address';

/** A node in one way of listening, and how its subscriptions are recognised. */
export type Target = ReturnType<typeof targetOf>;

/** The subscriptions of one node among all that the API key can see. */
export type Seen = ReturnType<typeof recognise>;

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

/**
 * Finds a node's own subscriptions. A subscription is its own if it
 *
 * - delivers to the node's URL: only the node can receive these deliveries; or
 * - delivers to the gateway of the Delivery URL and is marked for this node; or
 * - has the node's secret in an earlier URL of n8n, or in the URL of a gateway for this node; or
 * - has an ID that this n8n stored or received for this node.
 *
 * A copy of the workflow in another n8n has another instance ID, so it has another secret and no stored ID, and recognises
 * none of them.
 *
 * @param isInUse whether this n8n listens for a test event at a URL
 * @returns `shown`: undefined if the ID is known, but not in the list; `leftovers`: IDs of test subscriptions of this n8n that
 * are no longer in use
 */
export function recognise(
	webhooks: readonly Webhook[],
	target: Target,
	ids: readonly string[],
	isInUse: (url: string) => boolean,
) {
	const isOwn = ({ id, url }: Webhook) =>
		ids.includes(id) || isAtAddress(url, target) || carriesSecret(url, target);
	const isLeftover = ({ url }: Webhook) => isForTests(url, target) && !isInUse(url);
	const own = new Set([...webhooks.filter(isOwn).map(({ id }) => id), ...ids]);
	return {
		own: [...own].map((id) => ({ id, shown: webhooks.find((webhook) => webhook.id === id) })),
		leftovers: webhooks.filter(isLeftover).flatMap(({ id }) => (own.has(id) ? [] : [id])),
	};
}

/** Whether a URL has the node's secret, at any address. */
function carriesSecret(url: string, target: Target): boolean {
	const isForNode =
		leadsTo(url, target) || (target.listening === 'production' && carriesMark(url, target));
	return isForNode && secretOfUrl(url) === target.secret;
}

/** Whether it is for test events of any node of this n8n: their secret is derived from the path in the URL. */
function isForTests(url: string, { apiKey, instanceId }: Target): boolean {
	const webhookPath = webhookPathIn(url);
	if (webhookPath === undefined) return false;
	return secretOfUrl(url) === deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
}
