import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { parseUrl, trimEndOf } from '../../../lib/basics';
import { filledAdvice, statusFailure } from './errors';
import {
	followRedirects,
	toTransportFailure,
	type Exchange,
	type Advice,
	type ApiContext,
	type ApiRequest,
	type ApiResponse,
} from './request';
import { PATIENCE } from './retry';
import { readResource, type Unusable } from './responses';

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

const WHO_AM_I: ApiRequest = { method: 'GET', path: '/me', subject: 'user' };

/** n8n's declarative test cannot distinguish a web page from the API, or explain why a host is unreachable. */
export async function emailIdentityApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const base = normaliseBaseUrl(credential.data?.baseUrl);
	if ('problem' in base) return failedTest(base.problem);
	const apiKey = normaliseApiKey(credential.data?.apiKey);
	if (apiKey === '') return { status: 'Error', message: 'The API key is empty. Enter it.' };
	const askAt = async (uri: string): Promise<Exchange> => {
		// The only request function that n8n offers to a credential test.
		const { request } = this.helpers;
		const answer = (await request({
			method: 'GET',
			uri,
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: PATIENCE.credentialTest.timeout,
		})) as { statusCode: number; headers: ApiResponse['headers']; body: unknown };
		const { statusCode: status, headers, body } = answer;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
		return { status, headers, text, url: uri };
	};
	const url = base.baseUrl + WHO_AM_I.path;
	const exchange = await followRedirects(askAt, url, WHO_AM_I.method).catch(toTransportFailure);
	const problem = problemIn(exchange, apiKey);
	if (problem) return failedTest(problem);
	return { status: 'OK', message: 'Connection successful' };
}

function problemIn(exchange: Exchange, apiKey: string): Advice | undefined {
	if ('problem' in exchange) return exchange;
	if (exchange.status >= 300) return statusFailure(WHO_AM_I, exchange, apiKey);
	const user = readResource(exchange, 'user');
	return 'problem' in user ? user.problem : undefined;
}

function failedTest({ message, detail = '', description }: Advice): INodeCredentialTestResult {
	const sentences = [`${message}.`, detail, description].filter((sentence) => sentence !== '');
	return { status: 'Error', message: filledAdvice(sentences.join(' '), 'user', '') };
}
