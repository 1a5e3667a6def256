import { NodeOperationError } from 'n8n-workflow';
import { parseUrl } from '../lib/hosts';
import { trimEndOf } from '../lib/text';
import type { ApiContext, EmailIdentityCredential } from './types';

export const CREDENTIAL_TYPE = 'emailIdentityApi';

/**
 * Brings a base URL into the one form that requests are built on: no blanks around it, no slashes at
 * its end, no query and no fragment.
 *
 * @param text what the user typed
 * @returns the base URL, or `{ problem }` with a sentence for the user
 */
export function normaliseBaseUrl(text: unknown): { baseUrl: string } | { problem: string } {
	const trimmed = String(text ?? '').trim();
	if (trimmed === '')
		return { problem: 'The base URL is empty. Enter the address of the service.' };
	const url = parseUrl(trimmed);
	if (!url) {
		return {
			problem: 'The base URL is not an address. Enter it as in https://mail.example.com/api.',
		};
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { problem: 'The base URL must start with https:// or http://.' };
	}
	if (url.username !== '' || url.password !== '') {
		return { problem: 'The base URL must not hold a user name or password. Remove them from it.' };
	}
	return { baseUrl: url.origin + trimEndOf(url.pathname, (character) => character === '/') };
}

/**
 * Reads the credential of the node.
 *
 * @throws NodeOperationError when there is none or its base URL cannot be used
 */
export async function readCredential(context: ApiContext): Promise<EmailIdentityCredential> {
	const data = await context.getCredentials(CREDENTIAL_TYPE);
	const result = normaliseBaseUrl(data.baseUrl);
	if ('problem' in result) {
		throw new NodeOperationError(context.getNode(), result.problem, {
			description: 'Open the Email Identity API credential of this node and correct it.',
		});
	}
	return {
		baseUrl: result.baseUrl,
		apiKey: String(data.apiKey ?? '').trim(),
		allowPrivateWebhookUrls: data.allowPrivateWebhookUrls === true,
	};
}
