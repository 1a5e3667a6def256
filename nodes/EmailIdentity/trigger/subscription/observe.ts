import { toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { BoundedMap } from '../../lib/boundedMap';
import type { WebhookState } from '../../shared/webhookDiff';
import { fetchShown } from '../restriction';
import { deriveSecret, matchesDigest, secretOfUrl, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtAddress, leadsTo, webhookPathIn, type Endpoint } from './address';

const MINUTE = 60_000;

/** A node in one way of listening, and how its subscriptions are recognised. */
export interface Target extends Endpoint {
	listening: Listening;
	/** Only this node of this n8n, with this API key, can derive it. */
	secret: string;
	/** The subscription that this n8n stored for this way of listening. */
	stored: StoredSubscription | undefined;
	/** The secret of a test subscription of any node of this n8n with this API key. */
	testSecretOf(webhookPath: string): string;
}

/** One of the node's own subscriptions. */
export interface Own extends Written {
	id: string;
	/** As the service shows it; undefined if it does not. */
	shown: Webhook | undefined;
	/** As n8n stored it. */
	stored: StoredSubscription | undefined;
}

/** The subscriptions of one node among all that the API key can see. */
export interface Seen {
	/** The stored one first. */
	own: Own[];
	/** IDs of test subscriptions of this n8n that are no longer in use. */
	leftovers: string[];
}

/** Whether a test subscription of this n8n is no longer in use. */
export type IsLeftBehind = (id: string, webhookPath: string) => boolean;

/** @param stored from the static data, which is copied with a workflow: it may belong to another node */
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
 * Lists the subscriptions, and fetches known ones by ID that are not in the list.
 *
 * @throws NodeApiError when a request fails
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
 * Finds a node's own subscriptions. A subscription is its own if it
 *
 * - delivers to the node's URL: only the node can receive these deliveries; or
 * - delivers to the gateway of the Delivery URL and is marked for this node; or
 * - has the node's secret (of this or a former API key) in an earlier URL of n8n, or in the URL of a gateway for this node; or
 * - has an ID that this n8n stored or received for this node.
 *
 * A copy of the workflow in another n8n has another instance ID, so it has another secret and no stored ID, and recognises
 * none of them.
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

/** IDs of the subscriptions that this n8n knows for this way of listening. */
function knownIds({ stored }: Target, writes: OwnWrites): string[] {
	const ids = new Set([...(stored ? [stored.id] : []), ...writes.ids()]);
	return [...ids].filter((id) => !writes.isRemoved(id));
}

/** Whether a URL has the node's secret, at any address and also of a former API key. */
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

/** The secret of a test subscription is derived from the path in its URL, for any node. */
function isLeftover({ id, url }: Webhook, target: Target, isLeftBehind: IsLeftBehind): boolean {
	const path = webhookPathIn(url);
	if (path === undefined || secretOfUrl(url) !== target.testSecretOf(path)) return false;
	return isLeftBehind(id, path);
}

/** What this process wrote to a subscription. */
export interface Written {
	/** The last value written to each field. */
	asked: WebhookState;
	/** Whether the service confirmed the last request. */
	isConfirmed: boolean;
}

const NOTHING_WRITTEN: Written = { asked: {}, isConfirmed: false };

/**
 * What this process wrote to the service for one address of a node. A service may show the former state for a while ("read
 * your writes" is not guaranteed), so confirmed writes take precedence.
 */
export class OwnWrites {
	/** By subscription ID. */
	private readonly byId = new Map<string, Written | 'gone'>();

	/** Whether a creation may have succeeded although its response was lost. */
	mayHaveCreated = false;

	/** Call it before each request, and again when the service confirmed it. */
	wrote(id: string, fields: WebhookState, isConfirmed: boolean): void {
		this.byId.set(id, { asked: { ...this.of(id).asked, ...fields }, isConfirmed });
		if (isConfirmed) this.mayHaveCreated = false;
	}

	/** Records a deletion, or that an ID does not exist. */
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

	/** IDs of the subscriptions that may exist. */
	ids(): string[] {
		return [...this.byId.keys()].filter((id) => !this.isRemoved(id));
	}

	/** Whether a subscription that this process made or changed may be enabled. */
	mayHaveLeftOneOn(): boolean {
		const isPaused = ({ asked, isConfirmed }: Written) => isConfirmed && asked.enabled === false;
		return this.mayHaveCreated || this.ids().some((id) => !isPaused(this.of(id)));
	}
}

/** Milliseconds. n8n listens for two minutes; 2.x allows more for some callers, `TEST_WEBHOOK_MAX_TIMEOUT`. */
const MAX_LISTENING = 30 * MINUTE;

const MAX_REMEMBERED_TESTS = 1000;

/**
 * Knows which test subscriptions are in use. Uses only this n8n's clock: the service's may be wrong, and its times may have
 * no time zone.
 */
export class TestListening {
	/** In milliseconds since 1970: by webhook path, the start of listening; by subscription ID, when it was first seen. */
	private readonly since = new BoundedMap<string, number>(MAX_REMEMBERED_TESTS);

	constructor(private readonly now: () => number) {}

	begin(webhookPath: string): void {
		this.since.set(webhookPath, this.now());
	}

	end(webhookPath: string): void {
		this.since.delete(webhookPath);
	}

	/**
	 * Whether a test subscription can no longer be in use. `kill -9` leaves some behind, and so does n8n 1.x, which removes
	 * those of all workflows when one has received its event (`registrations.deregisterAll`).
	 *
	 * @param isStarting whether n8n has just started, so that it did not listen before
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
