import type { Credential } from '../../api/requests/credential';
import type { Entry } from '../../api/data/json';
import { toWebhook, type Webhook } from '../../api/data/resources';
import {
	deriveSecret,
	digestSecret,
	isTestUrl,
	matchesDigest,
	webhookPathIn,
} from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { SUBSCRIPTION_MS } from '../times';
import {
	fingerprintOf,
	partsOf,
	usesGateway,
	type Endpoint,
	type UrlParts,
} from './subscriptionUrl';

/** The node whose subscriptions are looked for. */
export interface Target extends Endpoint {
	apiKey: string;
	/** Identifies the base URL and the API key, for the lists that triggers share. */
	account: string;
	/** In the URL of its subscription, derived from the API key. */
	secret: string;
	/** Names the node in the URL of a gateway. */
	fingerprint: string;
	/** Undefined if nothing was stored, or by another node, for another purpose or in another n8n. */
	stored: StoredSubscription | undefined;
	/** The parts of n8n's present URL for the node. */
	parts: UrlParts;
	/** The Delivery URL without its query; undefined if deliveries arrive at n8n's own URL. */
	gatewayAddress: string | undefined;
}

/** @param stored from the static data, which is copied with a workflow and can be made up */
export function targetFor(
	endpoint: Endpoint,
	{ apiKey, baseUrl }: Pick<Credential, 'apiKey' | 'baseUrl'>,
	stored: StoredSubscription | undefined,
): Target {
	const parts = partsOf(endpoint.address);
	const isOwnRecord = stored !== undefined && isOfNode(stored, endpoint, parts);
	const gateway = usesGateway(endpoint) ? partsOf(endpoint.deliveryUrl) : undefined;
	return {
		...endpoint,
		apiKey,
		account: digestSecret(JSON.stringify([baseUrl, apiKey])),
		secret: deriveSecret(apiKey, endpoint),
		fingerprint: fingerprintOf(endpoint),
		stored: isOwnRecord ? stored : undefined,
		parts,
		gatewayAddress: gateway?.address,
	};
}

function isOfNode(
	{ instanceId, listening, url }: StoredSubscription,
	endpoint: Endpoint,
	{ webhookPath }: UrlParts,
): boolean {
	if (instanceId !== endpoint.instanceId) return false;
	if (listening !== endpoint.listening) return false;
	return webhookPath !== undefined && webhookPathIn(url) === webhookPath;
}

/** A subscription with the parts of its URL, which all triggers of a credential look at. */
export interface ListedWebhook extends Webhook {
	parts: UrlParts;
}

export function toListed(entry: Entry): ListedWebhook {
	const webhook = toWebhook(entry);
	return { ...webhook, parts: partsOf(webhook.url) };
}

/**
 * Whether the URL of a subscription shows that it is the node's:
 *
 * - it is the node's URL in n8n: only the node can receive these deliveries; or
 * - it is the gateway of the Delivery URL, and its query names this node; or
 * - it names the node, as n8n's URLs do or by the fingerprint, and has the node's secret: the present one, or the one whose digest
 *   was stored, for example under a former API key.
 *
 * Nothing else that was stored counts: anyone can write a webhook ID and static data into the file of a workflow. A copy of
 * the workflow in another n8n has another secret and recognizes none of them.
 */
export function wasMadeFor(target: Target, { parts }: ListedWebhook): boolean {
	const { address, fingerprint, secret, webhookPath } = parts;
	if (address === '') return false;
	if (address === target.parts.address) return true;
	const hasFingerprint = target.listening === 'production' && fingerprint === target.fingerprint;
	if (hasFingerprint && address === target.gatewayAddress) return true;
	const isAsInN8n = webhookPath !== undefined && webhookPath === target.parts.webhookPath;
	return (hasFingerprint || isAsInN8n) && isSecretOf(target, secret);
}

function isSecretOf({ secret, stored }: Target, given: string | undefined): boolean {
	if (!given) return false;
	if (given === secret) return true;
	return stored !== undefined && matchesDigest(given, stored.secretDigest);
}

/**
 * Whether a subscription is for test events that no process of this n8n listens for any more. Its secret shows that this n8n
 * made it, for whichever node.
 *
 * @param now see `wallClockNow`
 */
export function isLeftoverTest(
	target: Target,
	{ url, parts }: ListedWebhook,
	now: number,
): boolean {
	if (parts.until === undefined || mayBeInFuture(parts.until, now)) return false;
	return isTestUrl(url, target.apiKey, target.instanceId);
}

/** Another main process may have set it. A time that cannot be, such as one of a day later, is over. */
function mayBeInFuture(until: number, now: number): boolean {
	const { clocks, listening } = SUBSCRIPTION_MS;
	return until > now - clocks && until < now + listening + clocks;
}
