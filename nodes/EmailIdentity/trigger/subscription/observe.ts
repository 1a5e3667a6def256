import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Webhook } from '../../api/types';
import { BoundedMap } from '../../lib/boundedMap';
import type { WebhookState } from '../../shared/webhookDiff';
import { fetchShown } from '../restriction';
import { deriveSecret, matchesDigest, secretOfUrl, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtAddress, leadsTo, webhookPathIn, type Endpoint } from './address';

const MINUTE = 60_000;

/** A node in one way of listening, and what its subscriptions are recognised by. */
export interface Target extends Endpoint {
	listening: Listening;
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
	/** IDs of subscriptions that nodes of this n8n made for test events, and that are no longer in use. */
	leftovers: string[];
}

/** Tells whether a test subscription of this n8n is no longer in use. */
export type IsLeftBehind = (id: string, webhookPath: string) => boolean;

/** @param stored the static data, which travel with copies of a workflow: they may be another node's */
export function targetOf(
	endpoint: Endpoint,
	listening: Listening,
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
		secret: deriveSecret(apiKey, { instanceId, webhookPath, listening }),
		stored: isOwn ? stored : undefined,
		testSecretOf: (path) =>
			deriveSecret(apiKey, { instanceId, webhookPath: path, listening: 'test' }),
	};
}

/**
 * Looks at the service: in the list, and by ID at each subscription that is known to have been made and
 * that the list does not show.
 *
 * @throws NodeApiError when the service can't be asked
 */
export async function observe(
	service: EmailIdentityService,
	target: Target,
	writes: OwnWrites,
	isLeftBehind: IsLeftBehind,
	looksUp: boolean,
): Promise<Seen> {
	const listed = (await service.listWebhooks()).map(toWebhook);
	const missing = knownIds(target, writes).filter((id) => !listed.some((one) => one.id === id));
	const lookUp = async (id: string) => {
		const found = await fetchShown(service, id);
		return found ? [{ ...toWebhook(found), id }] : [];
	};
	const found = await Promise.all(looksUp ? missing.map(lookUp) : []);
	return recognise([...listed, ...found.flat()], target, writes, isLeftBehind);
}

/**
 * Finds a node's subscriptions. One is its own when it
 *
 * - points at the node's address: nothing else can receive what is sent there; or
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
): Seen {
	const ids = knownIds(target, writes);
	const there = webhooks.filter(({ id }) => !writes.isRemoved(id));
	const shown = there.filter(
		({ id, url }) =>
			ids.includes(id) || isAtAddress(url, target, target.listening) || carriesSecret(url, target),
	);
	const hidden = ids.filter((id) => !shown.some((webhook) => webhook.id === id));
	const { stored } = target;
	const ownOf = (id: string, webhook?: Webhook): Own => ({
		id,
		shown: webhook,
		...writes.of(id),
		stored: stored?.id === id ? stored : undefined,
	});
	return {
		own: [
			...shown.map((webhook) => ownOf(webhook.id, webhook)),
			...hidden.map((id) => ownOf(id)),
		].sort((one, other) => Number(!!other.stored) - Number(!!one.stored)),
		leftovers: there
			.filter((webhook) => !shown.includes(webhook) && isLeftover(webhook, target, isLeftBehind))
			.map(({ id }) => id),
	};
}

/** IDs of the subscriptions that were made for this way of listening, as far as this n8n knows. */
function knownIds({ stored }: Target, writes: OwnWrites): string[] {
	const ids = new Set([...(stored ? [stored.id] : []), ...writes.ids()]);
	return [...ids].filter((id) => !writes.isRemoved(id));
}

/** Whether a URL was made for the node, at whatever address; also with a former API key. */
function carriesSecret(url: string, target: Target): boolean {
	const secret = secretOfUrl(url);
	if (secret === undefined) return false;
	const isForNode =
		leadsTo(url, target) || (target.listening === 'production' && carriesMark(url, target));
	const digest = target.stored?.secretDigest;
	const isSecret =
		secret === target.secret || (digest !== undefined && matchesDigest(secret, digest));
	return isForNode && isSecret;
}

/** The secrets of test subscriptions, of any node, are derived from the paths in their URLs. */
function isLeftover({ id, url }: Webhook, target: Target, isLeftBehind: IsLeftBehind): boolean {
	const path = webhookPathIn(url);
	if (path === undefined || secretOfUrl(url) !== target.testSecretOf(path)) return false;
	return isLeftBehind(id, path);
}

/** What this process asked one subscription to be. */
export interface Written {
	/** The last value of each field that the service was asked to write. */
	asked: WebhookState;
	/** Whether the service confirmed the last request: its answer may be lost. */
	isConfirmed: boolean;
}

const NOTHING_WRITTEN: Written = { asked: {}, isConfirmed: false };

/**
 * What this process wrote to the service at one address of a node. A service may show for a while what was
 * there before ("read your writes" is not promised anywhere), so what is known to have been done counts more.
 */
export class OwnWrites {
	/** By subscription ID. */
	private readonly byId = new Map<string, Written | 'gone'>();

	/** Whether a creation may have succeeded although its response was lost. */
	mayHaveCreated = false;

	/** Notes what the service is asked, before, and again once it confirmed it. */
	wrote(id: string, fields: WebhookState, isConfirmed: boolean): void {
		this.byId.set(id, { asked: { ...this.of(id).asked, ...fields }, isConfirmed });
		if (isConfirmed) this.mayHaveCreated = false;
	}

	/** Notes a deletion, or that there is nothing under an ID. */
	removed(id: string): void {
		this.byId.set(id, 'gone');
	}

	of(id: string): Written {
		const written = this.byId.get(id);
		return written === undefined || written === 'gone' ? NOTHING_WRITTEN : written;
	}

	isRemoved(id: string): boolean {
		return this.byId.get(id) === 'gone';
	}

	/** IDs of the subscriptions that may be there. */
	ids(): string[] {
		return [...this.byId.keys()].filter((id) => !this.isRemoved(id));
	}

	/** Whether a subscription that this process made or changed may be enabled. */
	mayHaveLeftOneOn(): boolean {
		const isPaused = ({ asked, isConfirmed }: Written) => isConfirmed && asked.enabled === false;
		return this.mayHaveCreated || this.ids().some((id) => !isPaused(this.of(id)));
	}
}

/** Milliseconds. n8n listens for two minutes; 2.x lets some callers ask for more, `TEST_WEBHOOK_MAX_TIMEOUT`. */
const MAX_LISTENING = 30 * MINUTE;

/** Far more than people listen for at a time. */
const MAX_REMEMBERED_TESTS = 1000;

/**
 * Tells which test subscriptions are in use. Only this n8n's clock counts: the service's may be wrong, and its
 * times may have no zone.
 */
export class TestListening {
	/** By webhook path, when this process last began to listen; by subscription ID, when it first saw it. Milliseconds since 1970. */
	private readonly since = new BoundedMap<string, number>(MAX_REMEMBERED_TESTS);

	constructor(private readonly now: () => number) {}

	begin(webhookPath: string): void {
		this.since.set(webhookPath, this.now());
	}

	end(webhookPath: string): void {
		this.since.delete(webhookPath);
	}

	/**
	 * Whether a test subscription cannot be in use any more. `kill -9` leaves some behind, and so does n8n 1.x, which
	 * forgets those of all workflows when one has received its event (`registrations.deregisterAll`).
	 *
	 * @param isStarting whether n8n has only just started, so that nothing was listened for before
	 */
	isLeftBehind(id: string, webhookPath: string, isStarting: boolean): boolean {
		const seen = this.since.get(id) ?? this.now();
		this.since.set(id, seen);
		return this.isOver(this.since.get(webhookPath)) && (isStarting || this.isOver(seen));
	}

	private isOver(since = -Infinity): boolean {
		return this.now() - since > MAX_LISTENING;
	}
}
