import type { Webhook } from '../../api/resources';
import { deriveSecret, secretOfUrl, webhookPathIn } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtAddress, leadsTo, type Endpoint } from './address';

/** A node in one way of listening, and how its subscriptions are recognised. */
export interface Target extends Endpoint {
	apiKey: string;
	/** Only this node of this n8n, with this API key, can derive it. */
	secret: string;
	/** The subscription that this n8n stored for this way of listening. */
	stored: StoredSubscription | undefined;
}

/** One of the node's own subscriptions. */
export interface Own {
	id: string;
	/** As the service shows it; undefined if the ID is known, but not in the list. */
	shown?: Webhook;
}

/** The subscriptions of one node among all that the API key can see. */
export interface Seen {
	own: Own[];
	/** IDs of test subscriptions of this n8n that are no longer in use. */
	leftovers: string[];
}

/** @param stored from the static data, which is copied with a workflow: it may belong to another node */
export function targetOf(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
): Target {
	const isOwn =
		stored?.instanceId === endpoint.instanceId &&
		stored.listening === endpoint.listening &&
		leadsTo(stored.url, endpoint);
	return {
		...endpoint,
		apiKey,
		secret: deriveSecret(apiKey, endpoint),
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
 */
export function recognise(
	webhooks: readonly Webhook[],
	target: Target,
	ids: readonly string[],
	isInUse: (url: string) => boolean,
): Seen {
	const isOwn = ({ id, url }: Webhook) =>
		ids.includes(id) || isAtAddress(url, target) || carriesSecret(url, target);
	const shown = webhooks.filter(isOwn);
	const hidden = ids.filter((id) => !shown.some((webhook) => webhook.id === id));
	return {
		own: [
			...shown.map((webhook) => ({ id: webhook.id, shown: webhook })),
			...hidden.map((id) => ({ id })),
		],
		leftovers: webhooks
			.filter(
				(webhook) => !isOwn(webhook) && isForTests(webhook.url, target) && !isInUse(webhook.url),
			)
			.map(({ id }) => id),
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
