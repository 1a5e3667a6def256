import { createHash } from 'crypto';

import { isSameAddress, parseUrl, toUrl } from '../../lib/hosts';
import { PARAMETER, digestSecret, withParameter, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import type { Endpoint, NodeIdentity } from './endpoint';

/**
 * The query parameter that says for which node a subscription delivers to a gateway. n8n's own addresses are different for
 * every node, those of gateways need not be: without it nothing but a secret would tell whose a subscription is, and
 * secrets change with the API key.
 */
export const NODE_PARAMETER = 'node';

/** 96 bits: no two nodes have the same. */
const MARK_LENGTH = 16;

/** What names a node of one n8n in the URL of its subscription. Not secret. */
export function markOf({ instanceId, webhookPath }: NodeIdentity): string {
	const digest = createHash('sha256').update(JSON.stringify([instanceId, webhookPath]));
	return digest.digest('base64url').slice(0, MARK_LENGTH);
}

/** Whether a subscription delivers to the Delivery URL. Test events come to n8n's own address. */
export function usesGateway({ deliveryUrl }: Endpoint, listening: Listening): boolean {
	return deliveryUrl !== '' && listening === 'production';
}

/**
 * Where the service is told to deliver, without the secret: to n8n's address, or to the Delivery URL, whose own query stays
 * as it is.
 *
 * @throws TypeError when the Delivery URL is none
 */
export function deliveredTo(endpoint: Endpoint, listening: Listening): string {
	if (!usesGateway(endpoint, listening)) return endpoint.address;
	const url = toUrl(endpoint.deliveryUrl);
	// Never sent.
	url.hash = '';
	return withParameter(url.toString(), NODE_PARAMETER, markOf(endpoint));
}

/** Whether a URL says that it delivers for the node, by way of whatever gateway. */
export function carriesMark(url: string, node: NodeIdentity): boolean {
	return parseUrl(url)?.searchParams.get(NODE_PARAMETER) === markOf(node);
}

/** Whether a URL leads to the gateway of the Delivery URL, for whichever node. */
export function isAtGateway(url: string, { deliveryUrl }: Endpoint): boolean {
	return deliveryUrl !== '' && isSameAddress(url, deliveryUrl);
}

/** What is stored of the way that deliveries take. */
export function deliveryOf(
	endpoint: Endpoint,
	listening: Listening,
): Pick<StoredSubscription, 'deliveryUrlDigest'> {
	return usesGateway(endpoint, listening)
		? { deliveryUrlDigest: digestSecret(endpoint.deliveryUrl) }
		: {};
}

/** The names that a Delivery URL must not use itself. */
export const RESERVED_PARAMETERS: readonly string[] = [NODE_PARAMETER, PARAMETER];
