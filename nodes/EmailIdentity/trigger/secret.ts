import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';

/** Which of n8n's two addresses a subscription points at: the production one or the one for test events. */
export type Listening = 'production' | 'test';

/** What one secret is good for: one webhook, of one n8n, in one way of listening. */
export interface SecretScope {
	instanceId: string;
	webhookPath: string;
	listening: Listening;
}

/** The query parameter that carries the secret. The service signs nothing, so its URL has to. */
export const PARAMETER = 'token';

/** Keeps this use of the API key apart from any other that could be made of the same key. */
const DOMAIN = 'n8n-nodes-email-identity/webhook-secret/1';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * What a secret for this node covers.
 *
 * The webhook ID is what n8n builds the address on: it stays when the node or the workflow is renamed,
 * and differs in a duplicate. The instance ID differs where the workflow was copied to another n8n.
 *
 * @param context any n8n context of the trigger node
 * @param listening production or test
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
 * The secret of a subscription's URL.
 *
 * It is derived from the API key instead of drawn at random: it can't be lost (with n8n's static data,
 * on a rename, in a crash right after the subscription was created) and is written nowhere in n8n.
 *
 * @param apiKey the user's API key
 * @returns 43 characters, safe in a URL
 */
export function deriveSecret(apiKey: string, scope: SecretScope): string {
	const message = JSON.stringify([DOMAIN, scope.instanceId, scope.webhookPath, scope.listening]);
	return createHmac('sha256', apiKey).update(message).digest('base64url');
}

/** What may be stored about a secret: enough to recognise it, useless for making a delivery. */
export function digestSecret(secret: string): string {
	return sha256(secret).toString('base64url');
}

/** Whether a received secret is the one with this digest, in a time that does not depend on the secret. */
export function matchesDigest(received: string, digest: string): boolean {
	const expected = Buffer.from(digest, 'base64url');
	const actual = sha256(received);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * The address that the service is told to deliver to.
 *
 * @param url where to, absolute
 * @throws TypeError when the URL is not absolute
 */
export function withSecret(url: string, secret: string): string {
	return withParameter(url, PARAMETER, secret);
}

/**
 * A URL with one more parameter at the end of its query, in place of one of that name. The rest of the query stays as it
 * is spelled: whoever reads it may compare it letter by letter.
 *
 * @param value of letters that need no escaping
 * @throws TypeError when the URL is not absolute
 */
export function withParameter(url: string, name: string, value: string): string {
	const result = toUrl(url);
	const query = result.search.slice(1);
	const others = query === '' ? [] : query.split('&');
	const kept = others.filter((part) => part !== name && !part.startsWith(`${name}=`));
	// Of a text that begins with a question mark the setter takes one away.
	result.search = `?${[...kept, `${name}=${value}`].join('&')}`;
	return result.toString();
}

/** The secret that a subscription's URL carries, or undefined when it carries none or is no URL. */
export function secretOfUrl(url: string): string | undefined {
	return parseUrl(url)?.searchParams.get(PARAMETER) ?? undefined;
}

/** The secret that a delivery came with, from the query as n8n parsed it. Repeated parameters count as none. */
export function secretOfQuery(query: unknown): string | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	return typeof value === 'string' && value !== '' ? value : undefined;
}
