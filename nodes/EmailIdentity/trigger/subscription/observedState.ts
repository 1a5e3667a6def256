import { statusOf } from '../../api/errors';
import { tellsIdentity, toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Entry, Webhook } from '../../api/types';
import { matchesDigest, secretOfUrl, type Listening } from '../secret';
import type { OwnWrites } from './ownWrites';
import { carriesMark, isAtGateway, usesGateway } from './gateway';
import { isAtAddress, leadsTo, type Target } from './target';

/** A subscription that some node of this n8n made to listen for a test event. */
export interface TestSubscription {
	webhook: Webhook;
	/** Tells whose it is. */
	webhookPath: string;
}

/** The subscriptions of one node among all that the API key can see. */
export interface ObservedState {
	/** For the way of listening that is asked about; the stored one first. */
	own: Webhook[];
	/** Of this node, where production is asked about, and of all other nodes of this n8n. */
	tests: TestSubscription[];
	/** IDs of what others deliver to the same address of a gateway. */
	neighbours: string[];
	/** IDs of subscriptions that were made for this, and that the service does not show. */
	unseen: string[];
	/** Whether the service tells of any subscription what identity it is restricted to. */
	tellsIdentities: boolean;
}

/** Not there, not ours any more, or a service that shows no single subscription. */
const NOT_SHOWN: ReadonlySet<number | undefined> = new Set([403, 404, 405, 410, 501]);

/**
 * Looks at the service: in the list, and by its ID at each subscription that is known to have been made and
 * that the list does not show.
 *
 * @throws NodeApiError when the service can't be asked
 */
export async function observe(
	service: EmailIdentityService,
	target: Target,
	listening: Listening,
	ownWrites: OwnWrites,
): Promise<ObservedState> {
	const entries = await service.listWebhooks();
	const listed = entries.map(toWebhook).filter(({ id }) => !ownWrites.isRemoved(id));
	const missing = knownIds(target, listening, ownWrites).filter(
		(id) => !listed.some((webhook) => webhook.id === id),
	);
	const lookedUp = await Promise.all(missing.map(async (id) => await lookUp(service, id)));
	const webhooks = [...listed, ...lookedUp.filter((webhook) => webhook !== undefined)];
	return {
		...recognise(webhooks, target, listening, ownWrites),
		unseen: missing.filter((_, index) => lookedUp[index] === undefined),
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
	listening: Listening,
	ownWrites: OwnWrites,
): Pick<ObservedState, 'own' | 'tests' | 'neighbours'> {
	const ids = new Set(knownIds(target, listening, ownWrites));
	const storedId = storedFor(target, listening)?.id;
	const own = webhooks
		.filter(
			({ id, url }) =>
				ids.has(id) || isAtAddress(url, target, listening) || carriesSecret(url, target, listening),
		)
		.sort((one, other) => Number(other.id === storedId) - Number(one.id === storedId));
	const isOwn = new Set(own);
	const tests = webhooks.flatMap((webhook) => {
		const webhookPath = isOwn.has(webhook) ? undefined : target.testedNode(webhook.url);
		return webhookPath === undefined ? [] : [{ webhook, webhookPath }];
	});
	const neighbours = webhooks
		.filter((webhook) => !isOwn.has(webhook) && webhook.enabled !== false)
		.filter(({ url }) => usesGateway(target, listening) && isAtGateway(url, target));
	return { own, tests, neighbours: neighbours.map(({ id }) => id) };
}

/** IDs of the subscriptions that were made for this way of listening, as far as this n8n knows. */
export function knownIds(target: Target, listening: Listening, ownWrites: OwnWrites): string[] {
	const storedId = storedFor(target, listening)?.id;
	const ids = new Set([...(storedId === undefined ? [] : [storedId]), ...ownWrites.ids()]);
	return [...ids].filter((id) => !ownWrites.isRemoved(id));
}

/** Whether a URL was made for the node, at whatever address; also with a former API key. */
export function carriesSecret(url: string, target: Target, listening: Listening): boolean {
	const secret = secretOfUrl(url);
	if (secret === undefined) return false;
	const isForNode =
		leadsTo(url, target.webhookPath) || (listening === 'production' && carriesMark(url, target));
	if (!isForNode) return false;
	const digest = storedFor(target, listening)?.secretDigest;
	return (
		secret === target.secrets[listening] || (digest !== undefined && matchesDigest(secret, digest))
	);
}

function storedFor({ stored }: Target, listening: Listening) {
	return stored?.listening === listening ? stored : undefined;
}

/** Fetches one subscription by its ID. @returns undefined when the service does not show it */
export async function lookUp(
	service: EmailIdentityService,
	id: string,
): Promise<Webhook | undefined> {
	const found = await fetchShown(service, id);
	return found && { ...toWebhook(found), id };
}

/** The same, as the service sent it. */
export async function fetchShown(
	service: EmailIdentityService,
	id: string,
): Promise<Entry | undefined> {
	return await service
		.getWebhook(id)
		.catch(async (error: unknown) => (isNotShown(error) ? undefined : await Promise.reject(error)));
}

/** Whether the service answered that it has no such subscription for this API key. */
export function isNotShown(error: unknown): boolean {
	return NOT_SHOWN.has(statusOf(error));
}
