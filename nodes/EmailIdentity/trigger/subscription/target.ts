import { isSameAddress, pathOf } from '../../lib/hosts';
import { deriveSecret, secretOfUrl, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import type { Endpoint } from './endpoint';
import { carriesMark, isAtGateway } from './gateway';

/** What the node's subscriptions are recognised by. */
export interface Target extends Endpoint {
	/** Which only this node of this n8n, with this API key, can derive. */
	secrets: Record<Listening, string>;
	/** What this n8n stored of the node's subscription. */
	stored: StoredSubscription | undefined;
	/**
	 * Tells the test subscriptions of all nodes of this n8n with this API key by their secrets, which are
	 * derived from the paths in their URLs.
	 *
	 * @returns the node's webhook path, undefined for any other subscription
	 */
	testedNode(url: string): string | undefined;
}

/** The last part of n8n's addresses for this node type, see the node's description. */
const LAST_SEGMENT = 'webhook';

/**
 * Works out what the node's subscriptions are recognised by.
 *
 * @param stored what static data hold, whoever's it is: they travel with copies of a workflow
 */
export function targetOf(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
): Target {
	const { instanceId, webhookPath } = endpoint;
	const secretOf = (path: string, listening: Listening) =>
		deriveSecret(apiKey, { instanceId, webhookPath: path, listening });
	const isOwn = stored?.instanceId === instanceId && leadsTo(stored.url, webhookPath);
	return {
		...endpoint,
		secrets: {
			production: secretOf(webhookPath, 'production'),
			test: secretOf(webhookPath, 'test'),
		},
		stored: isOwn ? stored : undefined,
		testedNode(url) {
			const [last, path] = pathOf(url).split('/').reverse();
			if (last !== LAST_SEGMENT || !path) return undefined;
			return secretOfUrl(url) === secretOf(path, 'test') ? path : undefined;
		},
	};
}

/** Whether a URL is, or was, one of n8n's addresses for the node: also under another host or prefix. */
export function leadsTo(url: string, webhookPath: string): boolean {
	return pathOf(url).includes(webhookPath);
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
