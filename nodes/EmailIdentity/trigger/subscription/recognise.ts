import type { Webhook } from '../../api/types';
import { matchesDigest, secretOfUrl } from '../secret';

/** What tells this node's subscriptions from all others. */
export interface Marks {
	/** n8n's address for this node, without the secret. */
	address: string;
	/** n8n builds every address of the node on it. */
	webhookPath: string;
	/** The secret that only this node of this n8n, with this API key, can derive. */
	secret: string;
	/** The same for the other way of listening. */
	otherSecret: string;
	/** The ID that this n8n stored for this address, if it did. */
	storedId?: string;
	/** The digest of the secret that was stored with it: another one, where the API key was changed since. */
	storedDigest?: string;
}

/** The subscriptions of one node among all that the API key can see. */
export interface Recognised {
	/** For the way of listening that is asked about; the stored one first. */
	own: Webhook[];
	/** For the other one: test subscriptions, where production is asked about. */
	other: Webhook[];
}

/**
 * Finds a node's subscriptions. One is its own when it
 *
 * - points at the node's address: nobody else can receive what is sent there; or
 * - carries the node's secret, at an address that n8n had earlier, also the secret of a former API key; or
 * - has the ID that this same n8n stored for this same path.
 *
 * A copy of the workflow in another n8n has another instance ID, so another secret and no stored ID:
 * it recognises nothing of this one.
 */
export function recognise(webhooks: readonly Webhook[], marks: Marks): Recognised {
	const carries = ({ url }: Webhook, secret: string) => carriesSecret(url, secret, marks);
	const isStored = ({ id }: Webhook) => id === marks.storedId;
	const own = webhooks
		.filter(
			(webhook) =>
				isSameAddress(webhook.url, marks.address) ||
				carries(webhook, marks.secret) ||
				carriesStoredSecret(webhook.url, marks) ||
				isStored(webhook),
		)
		.sort((one, other) => Number(isStored(other)) - Number(isStored(one)));
	const other = webhooks.filter(
		(webhook) => !own.includes(webhook) && carries(webhook, marks.otherSecret),
	);
	return { own, other };
}

/** Whether a URL was made for the node with this secret, at whatever address. */
export function carriesSecret(
	url: string,
	secret: string,
	{ webhookPath }: Pick<Marks, 'webhookPath'>,
): boolean {
	return secretOfUrl(url) === secret && pathOf(url).includes(webhookPath);
}

function carriesStoredSecret(url: string, { storedDigest, webhookPath }: Marks): boolean {
	const secret = secretOfUrl(url);
	if (secret === undefined || storedDigest === undefined) return false;
	return matchesDigest(secret, storedDigest) && pathOf(url).includes(webhookPath);
}

/** Whether two URLs name the same address: origin and path. The query is this node's own. */
export function isSameAddress(one: string, other: string): boolean {
	return addressOf(one) !== undefined && addressOf(one) === addressOf(other);
}

/** The path of a URL, empty for what is no URL. */
export function pathOf(url: string): string {
	return URL.canParse(url) ? new URL(url).pathname : '';
}

function addressOf(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}
