import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';
import { parseUrl, pathOf, toUrl } from '../../../lib/basics';

/** The one of n8n's two URLs that a subscription delivers to. n8n does not tell `delete`, so that it is unknown there. */
export type Listening = 'production' | 'test' | 'unknown';

/** A trigger node of an n8n, whatever its name. */
export interface NodeIdentity {
	/** The ID of the n8n instance. */
	instanceId: string;
	/** The part of the node's URLs that n8n gives to this node alone. */
	webhookPath: string;
}

/** Each scope has a secret of its own. */
export interface SecretScope extends NodeIdentity {
	listening: Listening;
}

/** The query parameter with the secret: the service does not sign its deliveries. */
export const PARAMETER = 'token';

/** The query parameter that names the node at a gateway, also after a change of the API key. */
export const NODE_PARAMETER = 'node';

/** Separates this use of the API key from any other use of the same key. */
const PURPOSE = 'n8n-nodes-email-identity/webhook-secret/1';

/** The webhook ID survives renaming and differs in a duplicate. The instance ID differs in another n8n. */
export function secretScope(
	context: Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>,
	listening: Listening,
): SecretScope {
	const { webhookId, name } = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	return {
		instanceId: context.getInstanceId(),
		webhookPath: webhookId ?? `${workflowId}/${name}`,
		listening,
	};
}

/** Not random: so it is not stored, and cannot be lost with n8n's static data, on a rename or in a crash. Safe in a URL. */
export function deriveSecret(apiKey: string, scope: SecretScope): string {
	const { instanceId, webhookPath, listening } = scope;
	const message = JSON.stringify([PURPOSE, instanceId, webhookPath, listening]);
	return createHmac('sha256', apiKey).update(message).digest('base64url');
}

/** Safe to store: it identifies a secret, but cannot be used for a delivery. */
export function digestSecret(secret: string): string {
	return sha256(secret).toString('base64url');
}

/** In constant time: otherwise a stranger could measure, by how long refusals take, how much of a guess is right. */
export function matchesDigest(received: string, digest: string): boolean {
	const expected = Buffer.from(digest, 'base64url');
	const actual = sha256(received);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

export function withSecret(url: string, secret: string): string {
	return withParameter(url, PARAMETER, secret);
}

/** The rest of the query keeps its spelling, because a gateway may compare it character by character. */
export function withParameter(url: string, name: string, value: string): string {
	const result = toUrl(url);
	const query = result.search.slice(1);
	const parts = query === '' ? [] : query.split('&');
	const kept = parts.filter((part) => part !== name && !part.startsWith(`${name}=`));
	const changed = [...kept, `${name}=${value}`].join('&');
	// The setter removes a leading question mark, which could otherwise be the query's own.
	result.search = `?${changed}`;
	return result.toString();
}

export function secretOfUrl(url: string): string | undefined {
	return parseUrl(url)?.searchParams.get(PARAMETER) ?? undefined;
}

/** The last part of n8n's URLs for this node type, see the node's description. */
const LAST_SEGMENT = 'webhook';

/** @returns undefined if the URL is not one of n8n's URLs for this node type */
export function webhookPathIn(url: string): string | undefined {
	const [last, path] = pathOf(url).split('/').reverse();
	if (last !== LAST_SEGMENT || path === '') return undefined;
	return path;
}

/** Whether a URL can be a trigger's: it has a secret, and names a node as n8n's URLs do or as at a gateway. */
export function isTriggerUrl(url: string): boolean {
	const query = parseUrl(url)?.searchParams;
	if (!query?.has(PARAMETER)) return false;
	return webhookPathIn(url) !== undefined || query.has(NODE_PARAMETER);
}

/** Whether a URL is one of an n8n's URLs for test events, at any address: the secret is derived from the path in the URL. */
export function isTestUrl(url: string, apiKey: string, instanceId: string): boolean {
	const webhookPath = webhookPathIn(url);
	if (webhookPath === undefined) return false;
	const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
	return secretOfUrl(url) === secret;
}

/** Repeated parameters count as none. */
export function secretOfQuery(query: unknown): string | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	if (typeof value !== 'string') return undefined;
	return value;
}
