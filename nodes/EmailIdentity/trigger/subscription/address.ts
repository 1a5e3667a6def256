import { createHash } from 'crypto';

import { isSameAddress, isSameReceiver, parseUrl, pathOf, toUrl } from '../../lib/hosts';
import { PARAMETER, secretOfUrl, withParameter, withSecret, type Listening } from '../secret';

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
 * every node, those of gateways need not be: without it nothing but a secret would tell whose a subscription is, and
 * secrets change with the API key.
 */
export const NODE_PARAMETER = 'node';

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
export function usesGateway({ deliveryUrl }: Endpoint, listening: Listening | undefined): boolean {
	return deliveryUrl !== '' && listening === 'production';
}

/**
 * The address that the subscription points at: n8n's, or the Delivery URL with its own query as it is.
 *
 * @param secret left out for an address that a person may see
 * @throws TypeError when the Delivery URL is no URL
 */
export function subscriptionUrl(endpoint: Endpoint, listening: Listening, secret?: string): string {
	let url = endpoint.address;
	if (usesGateway(endpoint, listening)) {
		const gateway = toUrl(endpoint.deliveryUrl);
		// Never sent.
		gateway.hash = '';
		url = withParameter(gateway.toString(), NODE_PARAMETER, markOf(endpoint));
	}
	return secret === undefined ? url : withSecret(url, secret);
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

/** Whether a URL leads to the gateway of the Delivery URL, for any node. */
export function isAtGateway(url: string, { deliveryUrl }: Endpoint): boolean {
	return deliveryUrl !== '' && isSameAddress(url, deliveryUrl);
}

/**
 * Whether a URL leads to where the node listens now, and to nobody else: at a gateway's address others may be, too.
 *
 * @param listening undefined when it can't be told; then only n8n's own address counts
 */
export function isAtAddress(
	url: string,
	endpoint: Endpoint,
	listening: Listening | undefined,
): boolean {
	if (isSameAddress(url, endpoint.address)) return true;
	return listening === 'production' && isAtGateway(url, endpoint) && carriesMark(url, endpoint);
}

/**
 * What a subscription's URL, as the service shows it, says about the one it was given.
 *
 * - `right`: the same address with the same secret, whatever the spelling
 * - `hidden`: the same address, with the secret masked: nothing can be said about it
 * - `secretLost`: the same address without the secret, or with another one
 * - `elsewhere`: another address, or without what else has to be in its query
 */
export type ShownUrl = 'right' | 'hidden' | 'secretLost' | 'elsewhere';

/** What a secret does not consist of, or not for so long, and a mask does. */
const MASK = /[^\w-]|x{6}|X{6}/;

const MASK_WORD = /^(?:redacted|hidden|masked|secret|removed|filtered)$/i;

/** Compares the URL that is shown with the one that is desired. */
export function readShownUrl(shown: string | null, desired: string): ShownUrl {
	if (!shown) return 'hidden';
	const given = toUrl(desired).searchParams;
	const others = [...new Set(given.keys())].filter((name) => name !== PARAMETER);
	// A slash at the end makes no difference to n8n, whose addresses have no query of their own. To a gateway it may.
	const isThere = others.length > 0 ? isSameReceiver : isSameAddress;
	const query = isThere(shown, desired) ? parseUrl(shown)?.searchParams : undefined;
	if (query === undefined) return 'elsewhere';
	const secret = readSecret(query, desired);
	if (secret === 'secretLost') return secret;
	const rest = others.map((name) => readParameter(query, name, given.getAll(name)));
	return [...rest, secret].find((reading) => reading !== 'right') ?? 'right';
}

function readSecret(
	shown: URLSearchParams,
	desired: string,
): Extract<ShownUrl, 'right' | 'hidden' | 'secretLost'> {
	const [secret, ...more] = shown.getAll(PARAMETER);
	// n8n makes a list of a repeated parameter, and the node takes that for none.
	if (more.length > 0) return 'secretLost';
	if (secret === undefined) return isQueryMasked(shown) ? 'hidden' : 'secretLost';
	if (secret === secretOfUrl(desired)) return 'right';
	return isMask(secret) ? 'hidden' : 'secretLost';
}

/** A parameter of the Delivery URL's own, or the one that names the node. */
function readParameter(
	shown: URLSearchParams,
	name: string,
	given: readonly string[],
): Extract<ShownUrl, 'right' | 'hidden' | 'elsewhere'> {
	const values = shown.getAll(name);
	if (JSON.stringify(values) === JSON.stringify(given)) return 'right';
	const isHidden = values.length > 0 ? values.some(isMask) : isQueryMasked(shown);
	return isHidden ? 'hidden' : 'elsewhere';
}

function isQueryMasked(shown: URLSearchParams): boolean {
	return [...shown.keys()].some((name) => MASK.test(name));
}

function isMask(value: string): boolean {
	const isOneLetter = value !== '' && new Set(value).size === 1;
	return isOneLetter || MASK.test(value) || MASK_WORD.test(value);
}
