import { tellsIdentity, toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import { isSameAddress } from '../../lib/hosts';
import { fetchShown } from '../restriction';
import { deriveSecret, matchesDigest, secretOfUrl, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import {
	carriesMark,
	isAtAddress,
	isAtGateway,
	leadsTo,
	usesGateway,
	webhookPathIn,
	type Endpoint,
} from './address';
import type { OwnWrites, Written } from './memory';

/** A node in one way of listening, and what its subscriptions are recognised by. */
export interface Target extends Endpoint {
	/** Undefined when it can't be told; then only what is at n8n's very address is touched. */
	listening: Listening | undefined;
	/** Only this node of this n8n, with this API key, can derive it. */
	secret: string;
	/** What this n8n stored of the subscription for this way of listening. */
	stored: StoredSubscription | undefined;
	/** The secret of the test subscription of any node of this n8n with this API key. */
	testSecretOf(webhookPath: string): string;
}

/** One of the node's own subscriptions. */
export interface Own extends Written {
	id: string;
	/** As the service shows it; undefined where it does not show it. */
	shown: Webhook | undefined;
	/** What n8n stored of it. */
	stored: StoredSubscription | undefined;
}

/** The subscriptions of one node among all that the API key can see. */
export interface Seen {
	/** The stored one first. */
	own: Own[];
	/** IDs of subscriptions that nodes of this n8n made for test events, and that nobody listens for any more. */
	leftovers: string[];
	/** IDs of what others deliver to the same address of a gateway. */
	neighbours: string[];
	/** Whether the service tells of any subscription what identity it is restricted to. */
	tellsIdentities: boolean;
}

/** Tells whether nobody listens for a test subscription of this n8n any more. */
export type IsLeftBehind = (id: string, webhookPath: string) => boolean;

/** @param stored what static data hold, whoever's it is: they travel with copies of a workflow */
export function targetOf(
	endpoint: Endpoint,
	listening: Listening | undefined,
	apiKey: string,
	stored: StoredSubscription | undefined,
): Target {
	const { instanceId, webhookPath } = endpoint;
	const isOwn =
		stored?.instanceId === instanceId &&
		stored.listening === listening &&
		leadsTo(stored.url, endpoint);
	return {
		...endpoint,
		listening,
		secret: deriveSecret(apiKey, { instanceId, webhookPath, listening: listening ?? 'production' }),
		stored: isOwn ? stored : undefined,
		testSecretOf: (path) =>
			deriveSecret(apiKey, { instanceId, webhookPath: path, listening: 'test' }),
	};
}

/**
 * Looks at the service: in the list, and by its ID at each subscription that is known to have been made and
 * that the list does not show.
 *
 * @throws NodeApiError when the service can't be asked
 */
export async function observe(
	service: EmailIdentityService,
	target: Target,
	writes: OwnWrites,
	{ isLeftBehind, looksUp }: { isLeftBehind: IsLeftBehind; looksUp: boolean },
): Promise<Seen> {
	const entries = await service.listWebhooks();
	const listed = entries.map(toWebhook);
	const missing = knownIds(target, writes).filter((id) => !listed.some((one) => one.id === id));
	const found = await Promise.all(
		looksUp ? missing.map(async (id) => await lookUp(service, id)) : [],
	);
	const webhooks = [...listed, ...found.filter((webhook) => webhook !== undefined)];
	return {
		...recognise(webhooks, target, writes, isLeftBehind),
		tellsIdentities: entries.some(tellsIdentity),
	};
}

/**
 * Finds a node's subscriptions. One is its own when it
 *
 * - points at the node's address: nobody else can receive what is sent there; or
 * - points at the gateway of the Delivery URL, and says that it is for this node; or
 * - carries the node's secret, also that of a former API key, at an address that n8n had earlier, or at a gateway for this node; or
 * - has an ID that this same n8n stored or was given for this same node.
 *
 * A copy of the workflow in another n8n has another instance ID, so another secret and no stored ID:
 * it recognises nothing of this one.
 */
export function recognise(
	webhooks: readonly Webhook[],
	target: Target,
	writes: OwnWrites,
	isLeftBehind: IsLeftBehind,
): Pick<Seen, 'own' | 'leftovers' | 'neighbours'> {
	const ids = knownIds(target, writes);
	const there = webhooks.filter(({ id }) => !writes.isRemoved(id));
	const isEndedTest = ({ id, url }: Webhook) => !ids.includes(id) && isTestAtAddress(url, target);
	const isOwn = (webhook: Webhook) =>
		!isEndedTest(webhook) &&
		(ids.includes(webhook.id) ||
			isAtAddress(webhook.url, target, target.listening) ||
			carriesSecret(webhook.url, target));
	const shown = there.filter(isOwn);
	const others = there.filter((webhook) => !shown.includes(webhook));
	const hidden = ids.filter((id) => !shown.some((webhook) => webhook.id === id));
	return {
		own: [
			...shown.map((webhook) => ownOf(webhook.id, webhook, target, writes)),
			...hidden.map((id) => ownOf(id, undefined, target, writes)),
		].sort((one, other) => Number(!!other.stored) - Number(!!one.stored)),
		leftovers: others
			.filter((webhook) => isEndedTest(webhook) || isLeftover(webhook, target, isLeftBehind))
			.map(({ id }) => id),
		neighbours: others
			.filter(({ enabled, url }) => enabled !== false && isNeighbour(url, target))
			.map(({ id }) => id),
	};
}

/** The subscriptions that are known to have been made, of which the service shows nothing. */
export function unseen(target: Target, writes: OwnWrites): Seen {
	return { ...recognise([], target, writes, () => false), tellsIdentities: false };
}

function ownOf(id: string, shown: Webhook | undefined, { stored }: Target, writes: OwnWrites): Own {
	return { id, shown, ...writes.of(id), stored: stored?.id === id ? stored : undefined };
}

/** IDs of the subscriptions that were made for this way of listening, as far as this n8n knows. */
function knownIds({ stored }: Target, writes: OwnWrites): string[] {
	const ids = new Set([...(stored ? [stored.id] : []), ...writes.ids()]);
	return [...ids].filter((id) => !writes.isRemoved(id));
}

/** Whether a URL was made for the node, at whatever address; also with a former API key. */
function carriesSecret(url: string, target: Target): boolean {
	const secret = secretOfUrl(url);
	if (secret === undefined || target.listening === undefined) return false;
	const isForNode =
		leadsTo(url, target) || (target.listening === 'production' && carriesMark(url, target));
	const digest = target.stored?.secretDigest;
	const isSecret =
		secret === target.secret || (digest !== undefined && matchesDigest(secret, digest));
	return isForNode && isSecret;
}

/** A test subscription at the node's very address, where it can't be told what the node listened for there. */
function isTestAtAddress(url: string, target: Target): boolean {
	return (
		target.listening === undefined &&
		isSameAddress(url, target.address) &&
		secretOfUrl(url) === target.testSecretOf(target.webhookPath)
	);
}

/** Test subscriptions of all nodes are told by their secrets, which are derived from the paths in their URLs. */
function isLeftover({ id, url }: Webhook, target: Target, isLeftBehind: IsLeftBehind): boolean {
	const path = webhookPathIn(url);
	if (path === undefined || secretOfUrl(url) !== target.testSecretOf(path)) return false;
	return isLeftBehind(id, path);
}

function isNeighbour(url: string, target: Target): boolean {
	return usesGateway(target, target.listening) && isAtGateway(url, target);
}

/** Fetches one subscription by its ID. @returns undefined when the service does not show it */
export async function lookUp(
	service: EmailIdentityService,
	id: string,
): Promise<Webhook | undefined> {
	const found = await fetchShown(service, id);
	return found && { ...toWebhook(found), id };
}
