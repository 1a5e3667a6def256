import { NodeOperationError } from 'n8n-workflow';
import { parseUrl, trimEndOf } from '../../../../lib/basics';
import type { ApiContext } from '../request';
import type { Unusable } from './envelopes';

export const CREDENTIAL_TYPE = 'emailIdentityApi';

/** The credential as requests need it. */
export interface Credential {
	/** Without a slash at the end, a query and a user name. */
	baseUrl: string;
	/** Without `Bearer`. */
	apiKey: string;
	/** Whether webhooks may have URLs with HTTP or in private networks. */
	allowPrivateWebhookUrls: boolean;
}

export function normaliseBaseUrl(text: unknown): { baseUrl: string } | Unusable {
	const url = parseUrl(String(text ?? '').trim());
	if (!url || !/^https?:$/.test(url.protocol)) {
		const description = 'Enter a URL such as https://mail.example.com/api/kurrier.';
		return { problem: { message: 'The base URL is not valid', description } };
	}
	if (url.username !== '' || url.password !== '') {
		const message = 'The base URL must not contain a user name or password';
		return { problem: { message, description: 'Remove them.' } };
	}
	const path = trimEndOf(url.pathname, (character) => character === '/');
	return { baseUrl: url.origin + path };
}

/** Removes `Bearer `, which users copy from the examples of services. */
export function normaliseApiKey(text: unknown): string {
	return String(text ?? '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** @throws NodeOperationError if it is missing or its base URL is not valid */
export async function readCredential(context: ApiContext): Promise<Credential> {
	const data = await context.getCredentials(CREDENTIAL_TYPE);
	const result = normaliseBaseUrl(data.baseUrl);
	if ('problem' in result) {
		const { message, description } = result.problem;
		throw new NodeOperationError(context.getNode(), message, {
			description: `Open the Email Identity API credential of this node. ${description}`,
		});
	}
	return {
		baseUrl: result.baseUrl,
		apiKey: normaliseApiKey(data.apiKey),
		allowPrivateWebhookUrls: data.allowPrivateWebhookUrls === true,
	};
}
