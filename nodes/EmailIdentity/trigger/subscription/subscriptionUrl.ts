import { createHash } from 'crypto';

import { webhookUrlProblem } from '../../api/webhookUrl';
import { isSameAddress, parseUrl, pathOf, toUrl } from '../../../../lib/basics';
import {
	PARAMETER,
	withParameter,
	withSecret,
	type NodeIdentity,
	type SecretScope,
} from '../../shared/secret';

export interface Endpoint extends SecretScope {
	/** n8n's URL for the node, without the secret. */
	address: string;
	/** Empty for none. */
	deliveryUrl: string;
	name: string;
}

/** At a gateway, nodes may share one URL, and secrets change with the API key. */
const NODE_PARAMETER = 'node';

const MARK_LENGTH = 16;

/** Identifies the node in the URL of its subscription; not secret. 96 bits. */
export function markOf({ instanceId, webhookPath }: NodeIdentity): string {
	const digest = createHash('sha256').update(JSON.stringify([instanceId, webhookPath]));
	return digest.digest('base64url').slice(0, MARK_LENGTH);
}

/** Test events always arrive at n8n's own URL. */
function usesGateway({ deliveryUrl, listening }: Endpoint): boolean {
	return deliveryUrl !== '' && listening === 'production';
}

export function subscriptionUrl(endpoint: Endpoint, secret: string): string {
	if (!usesGateway(endpoint)) return withSecret(endpoint.address, secret);
	const gateway = toUrl(endpoint.deliveryUrl);
	gateway.hash = '';
	return withSecret(withParameter(gateway.toString(), NODE_PARAMETER, markOf(endpoint)), secret);
}

/** A Delivery URL may contain a secret of the gateway, so it is not repeated. */
export function urlByHand(endpoint: Endpoint): string {
	return endpoint.deliveryUrl === ''
		? `the URL ${endpoint.address}`
		: `the Delivery URL, with ${NODE_PARAMETER}=${markOf(endpoint)} added to its query,`;
}

/** Whether a URL is or was one of n8n's URLs for the node, even with another host or prefix. */
export function leadsTo(url: string, { webhookPath }: NodeIdentity): boolean {
	return pathOf(url).includes(webhookPath);
}

export function carriesMark(url: string, node: NodeIdentity): boolean {
	return parseUrl(url)?.searchParams.get(NODE_PARAMETER) === markOf(node);
}

/** Whether a URL leads to this node only: other nodes may share the URL of a gateway. */
export function isAtAddress(url: string, endpoint: Endpoint): boolean {
	if (isSameAddress(url, endpoint.address)) return true;
	const isAtGateway = usesGateway(endpoint) && isSameAddress(url, endpoint.deliveryUrl);
	return isAtGateway && carriesMark(url, endpoint);
}

/** `services/url.service.js` of n8n 2.x ignores WEBHOOK_URL. */
const FOR_TESTS =
	' If only WEBHOOK_URL is set, n8n 2 uses the URL of the editor (N8N_EDITOR_BASE_URL) for test events. Without a ' +
	'public URL, turn on Use Sample Email.';

/** Why the service cannot deliver to the node, and how to fix it. */
export function addressRefusal(endpoint: Endpoint, allowPrivate: boolean): string | undefined {
	const { address, deliveryUrl } = endpoint;
	const refusal = deliveryUrl === '' ? undefined : deliveryUrlRefusal(deliveryUrl, allowPrivate);
	if (refusal !== undefined || usesGateway(endpoint)) return refusal;
	const problem = webhookUrlProblem(address, allowPrivate);
	if (problem === undefined) return undefined;
	return (
		`The service cannot reach this n8n: its URL ${parseUrl(address)?.origin ?? address} ${problem}. ` +
		'Set the environment variable N8N_WEBHOOK_URL (in older versions of n8n: WEBHOOK_URL) to its public https:// URL, ' +
		'or turn on Allow Private Webhook URLs in the credential if the service is on the same network.' +
		(endpoint.listening === 'test' ? FOR_TESTS : '')
	);
}

function deliveryUrlRefusal(deliveryUrl: string, allowPrivate: boolean): string | undefined {
	const problem = webhookUrlProblem(deliveryUrl, allowPrivate);
	if (problem !== undefined) {
		return (
			`The Delivery URL ${problem}. Enter the public https:// URL of the gateway, or turn on Allow Private Webhook URLs ` +
			'in the credential if the gateway is on the same network as the service.'
		);
	}
	const { searchParams } = toUrl(deliveryUrl);
	const taken = [NODE_PARAMETER, PARAMETER].find((name) => searchParams.has(name));
	if (taken === undefined) return undefined;
	return `The Delivery URL has a query parameter named ${taken}, which the trigger uses itself. Remove it from the URL.`;
}
