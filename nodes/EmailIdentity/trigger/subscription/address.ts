import { createHash } from 'crypto';

import { webhookUrlProblem } from '../../api/webhookUrl';
import { isSameAddress, isSameReceiver, parseUrl, pathOf, toUrl } from '../../lib/hosts';
import { PARAMETER, withParameter, withSecret, type Listening } from '../secret';

/** Which node of which n8n it is. Survives renaming. */
export interface NodeIdentity {
	instanceId: string;
	/** n8n builds the node's addresses on it. */
	webhookPath: string;
}

/** Where a node is reached. Does not change while n8n runs. */
export interface Endpoint extends NodeIdentity {
	/** n8n's address for the node, without the secret: the test address while it listens for a test event. */
	address: string;
	/** The Delivery URL: a gateway that hands production deliveries on to the address; empty for none. */
	deliveryUrl: string;
	/** How a person finds the node in n8n. */
	name: string;
}

/**
 * The query parameter that says for which node a subscription delivers to a gateway. n8n's own addresses are different for
 * every node, those of gateways need not be, and secrets change with the API key.
 */
const NODE_PARAMETER = 'node';

/** The last part of n8n's addresses for this node type, see the node's description. */
const LAST_SEGMENT = 'webhook';

/** 96 bits: no two nodes have the same. */
const MARK_LENGTH = 16;

/** One text for one node of one n8n. */
export function nodeKey({ instanceId, webhookPath }: NodeIdentity): string {
	return `${instanceId} ${webhookPath}`;
}

/** Names a node of one n8n in the URL of its subscription. Not secret. */
export function markOf({ instanceId, webhookPath }: NodeIdentity): string {
	const digest = createHash('sha256').update(JSON.stringify([instanceId, webhookPath]));
	return digest.digest('base64url').slice(0, MARK_LENGTH);
}

/** Whether a subscription delivers to the Delivery URL. Test events come to n8n's own address. */
export function usesGateway({ deliveryUrl }: Endpoint, listening: Listening): boolean {
	return deliveryUrl !== '' && listening === 'production';
}

/**
 * The URL of the subscription: n8n's address, or the Delivery URL with its own query unchanged.
 *
 * @throws TypeError when the Delivery URL is no URL
 */
export function subscriptionUrl(endpoint: Endpoint, listening: Listening, secret: string): string {
	return withSecret(addressWithoutSecret(endpoint, listening), secret);
}

function addressWithoutSecret(endpoint: Endpoint, listening: Listening): string {
	if (!usesGateway(endpoint, listening)) return endpoint.address;
	const gateway = toUrl(endpoint.deliveryUrl);
	// Never sent.
	gateway.hash = '';
	return withParameter(gateway.toString(), NODE_PARAMETER, markOf(endpoint));
}

/** For a person to enter in the service. A Delivery URL may hold a secret of the gateway's, so it is not repeated. */
export function urlByHand(endpoint: Endpoint): string {
	return endpoint.deliveryUrl === ''
		? `the URL ${endpoint.address}`
		: `the Delivery URL, with ${NODE_PARAMETER}=${markOf(endpoint)} added to its query,`;
}

/** Whether a URL is, or was, one of n8n's addresses for the node: also under another host or prefix. */
export function leadsTo(url: string, { webhookPath }: NodeIdentity): boolean {
	return pathOf(url).includes(webhookPath);
}

/** The webhook path in one of n8n's addresses for nodes of this type; undefined for any other URL. */
export function webhookPathIn(url: string): string | undefined {
	const [last, path] = pathOf(url).split('/').reverse();
	return last === LAST_SEGMENT && path ? path : undefined;
}

/** Whether a URL says that it delivers for the node, through any gateway. */
export function carriesMark(url: string, node: NodeIdentity): boolean {
	return parseUrl(url)?.searchParams.get(NODE_PARAMETER) === markOf(node);
}

/** Whether a URL leads to the node and to nothing else: other nodes may share the address of a gateway. */
export function isAtAddress(url: string, endpoint: Endpoint, listening: Listening): boolean {
	if (isSameAddress(url, endpoint.address)) return true;
	const isAtGateway = usesGateway(endpoint, listening) && isSameAddress(url, endpoint.deliveryUrl);
	return isAtGateway && carriesMark(url, endpoint);
}

/** Whether the service shows the URL that it was given: spelling and further parameters make no difference. */
export function isSameUrl(shown: string, desired: string): boolean {
	const given = toUrl(desired).searchParams;
	const names = [...new Set(given.keys())];
	// A slash at the end makes no difference to n8n, whose addresses have no query of their own. To a gateway it may.
	const isThere = names.length > 1 ? isSameReceiver : isSameAddress;
	const query = isThere(shown, desired) ? parseUrl(shown)?.searchParams : undefined;
	const valuesOf = (from: URLSearchParams, name: string) => JSON.stringify(from.getAll(name));
	return !!query && names.every((name) => valuesOf(query, name) === valuesOf(given, name));
}

/** `services/url.service.js` of n8n 2.x: WEBHOOK_URL does not count there. */
const ADDRESS_FOR_TESTS =
	' If only WEBHOOK_URL is set, n8n 2 still uses the address of the editor (N8N_EDITOR_BASE_URL) for test events.';

const NO_GATEWAY_FOR_TESTS =
	" Test events come to n8n's own address, not through the Delivery URL: publish the workflow and look at its " +
	'executions, or use Use Sample Email.';

/**
 * Where the service delivers to a gateway, the gateway has to reach n8n.
 *
 * @returns why the service cannot deliver to the node, and what to do; undefined when it can
 */
export function addressRefusal(
	endpoint: Endpoint,
	listening: Listening,
	allowPrivate: boolean,
): string | undefined {
	const { address, deliveryUrl } = endpoint;
	const hasGateway = deliveryUrl !== '';
	const refusal = hasGateway ? deliveryUrlRefusal(deliveryUrl, allowPrivate) : undefined;
	if (refusal !== undefined || usesGateway(endpoint, listening)) return refusal;
	const problem = webhookUrlProblem(address, allowPrivate);
	if (problem === undefined) return undefined;
	const isTest = listening === 'test';
	return (
		`The service cannot deliver to this n8n: its address ${originOf(address)} ${problem}. ` +
		'Set the environment variable N8N_WEBHOOK_URL of n8n (in an older n8n: WEBHOOK_URL) to its public https:// address, ' +
		'or switch on Allow Private Webhook URLs in the credential if the service is on the same network.' +
		(isTest ? ADDRESS_FOR_TESTS : '') +
		(isTest && hasGateway ? NO_GATEWAY_FOR_TESTS : '')
	);
}

function deliveryUrlRefusal(deliveryUrl: string, allowPrivate: boolean): string | undefined {
	const problem = webhookUrlProblem(deliveryUrl, allowPrivate);
	if (problem !== undefined) {
		const isPrivate = webhookUrlProblem(deliveryUrl, true) === undefined;
		const network = isPrivate
			? '; switch on Allow Private Webhook URLs in the credential if the gateway is on the same network as the service'
			: '';
		return `The Delivery URL ${problem}. Enter the public https:// address of the gateway, or remove the option${network}.`;
	}
	const { searchParams } = toUrl(deliveryUrl);
	const taken = [NODE_PARAMETER, PARAMETER].find((name) => searchParams.has(name));
	if (taken === undefined) return undefined;
	return (
		`The Delivery URL has a parameter named ${taken}, which the subscription uses itself. Use an address of the ` +
		'gateway without it.'
	);
}

/** The part that the operator sets. The path of a Delivery URL may hold a secret. */
export function originOf(address: string): string {
	return parseUrl(address)?.origin ?? address;
}
