import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';
import { parseUrl, pathOf, toUrl } from '../../../lib/basics';

/** Which of n8n's two URLs a subscription delivers to: the production URL or the test URL. */
export type Listening = 'production' | 'test';

/** Identifies a trigger node of an n8n. Stays the same when the node is renamed. */
export interface NodeIdentity {
	instanceId: string;
	/** n8n builds the node's URLs on it. */
	webhookPath: string;
}

/** A secret is valid for one webhook of one n8n, in one way of listening. */
export interface SecretScope extends NodeIdentity {
	listening: Listening;
}

/** The query parameter with the secret: the service does not sign its deliveries. */
export const PARAMETER = 'token';

/** Separates this use of the API key from any other use of the same key. */
const DOMAIN = 'n8n-nodes-email-identity/webhook-secret/1';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * n8n builds the URL on the webhook ID. It stays the same when the node or the workflow is renamed, and differs in a
 * duplicate. The instance ID differs when the workflow is copied to another n8n.
 *
 * @param context any n8n context of the trigger node
 */
export function secretScope(
	context: Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>,
	listening: Listening,
): SecretScope {
	const { webhookId, name } = context.getNode();
	return {
		instanceId: context.getInstanceId(),
		webhookPath: webhookId ?? `${context.getWorkflow().id ?? ''}/${name}`,
		listening,
	};
}

/**
 * The secret of a subscription's URL. It is derived from the API key instead of random. So it cannot be lost (with n8n's
 * static data, on a rename, in a crash right after the subscription was created) and is not stored in n8n.
 *
 * @returns 43 characters, safe in a URL
 */
export function deriveSecret(apiKey: string, scope: SecretScope): string {
	const message = JSON.stringify([DOMAIN, scope.instanceId, scope.webhookPath, scope.listening]);
	return createHmac('sha256', apiKey).update(message).digest('base64url');
}

/** A digest that is safe to store: it identifies a secret, but cannot be used for a delivery. */
export function digestSecret(secret: string): string {
	return sha256(secret).toString('base64url');
}

/** Compares a received secret with a digest in constant time. */
export function matchesDigest(received: string, digest: string): boolean {
	const expected = Buffer.from(digest, 'base64url');
	const actual = sha256(received);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** The URL that the service delivers to. */
export const withSecret = (url: string, secret: string): string =>
	withParameter(url, PARAMETER, secret);

/**
 * Sets a parameter at the end of the query of a URL. The rest of the query keeps its spelling, because a gateway may
 * compare it character by character.
 *
 * @param value in characters that need no escaping
 * @throws TypeError when the URL is not absolute
 */
export function withParameter(url: string, name: string, value: string): string {
	const result = toUrl(url);
	const query = result.search.slice(1);
	const others = query === '' ? [] : query.split('&');
	const kept = others.filter((part) => part !== name && !part.startsWith(`${name}=`));
	// The setter removes a leading question mark, which could otherwise be the query's own.
	result.search = `?${[...kept, `${name}=${value}`].join('&')}`;
	return result.toString();
}

/** The secret in a subscription's URL; undefined if there is none, or it is not a URL. */
export function secretOfUrl(url: string): string | undefined {
	return parseUrl(url)?.searchParams.get(PARAMETER) ?? undefined;
}

/** The last part of n8n's URLs for this node type, see the node's description. */
const LAST_SEGMENT = 'webhook';

/** The webhook path in one of n8n's URLs for nodes of this type; undefined for any other URL. */
export function webhookPathIn(url: string): string | undefined {
	const [last, path] = pathOf(url).split('/').reverse();
	return last === LAST_SEGMENT && path ? path : undefined;
}

/** The secret of a delivery, from the query as n8n parsed it. Repeated parameters count as none. */
export function secretOfQuery(query: unknown): string | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	return typeof value === 'string' ? value : undefined;
}
