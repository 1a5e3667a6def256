import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { filledAdvice, type Advice } from './failures/errors';
import { normaliseApiKey, normaliseBaseUrl } from './requests/credential';
import { followRedirects } from './requests/redirects';
import type { ApiRequest, ApiResponse } from './request';
import { readResource } from './requests/envelopes';
import { PATIENCE } from './requests/retry';
import { statusFailure } from './failures/statusMessages';
import { toTransportFailure, type Exchange } from './failures/transportFailure';

const WHO_AM_I: ApiRequest = { method: 'GET', path: '/me', resource: 'user' };

/** n8n's declarative test cannot distinguish a web page from the API, or explain why a host is unreachable. */
export async function testCredential(
	context: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const base = normaliseBaseUrl(credential.data?.baseUrl);
	if ('problem' in base) return failedTest(base.problem);
	const apiKey = normaliseApiKey(credential.data?.apiKey);
	if (apiKey === '') return { status: 'Error', message: 'The API key is empty. Enter it.' };

	const exchange = await followRedirects(
		async (url) => await getOnce(context, url, apiKey),
		base.baseUrl + WHO_AM_I.path,
		WHO_AM_I.method,
	);
	const problem = problemIn(exchange, apiKey);
	if (problem) return failedTest(problem);
	return { status: 'OK', message: 'Connection successful' };
}

/** A response of n8n's old request function. */
interface OldResponse {
	statusCode: number;
	headers: ApiResponse['headers'];
	/** Text, unless n8n has parsed it. */
	body: unknown;
}

/** Uses the only request function that n8n offers to a credential test. It does not use the credential itself. */
async function getOnce(
	{ helpers }: ICredentialTestFunctions,
	url: string,
	apiKey: string,
): Promise<Exchange> {
	try {
		const response = (await helpers.request({
			method: WHO_AM_I.method,
			uri: url,
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: PATIENCE.credentialTest.timeout,
		})) as OldResponse;
		const { statusCode: status, headers, body } = response;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
		return { status, headers, text, url };
	} catch (error) {
		return toTransportFailure(error);
	}
}

function problemIn(exchange: Exchange, apiKey: string): Advice | undefined {
	if ('problem' in exchange) return exchange;
	if (exchange.status >= 300) return statusFailure(WHO_AM_I, exchange, apiKey);
	const user = readResource(exchange, 'user');
	if ('problem' in user) return user.problem;
	return undefined;
}

function failedTest({ message, detail, description }: Advice): INodeCredentialTestResult {
	const sentences = [`${message}.`];
	if (detail) sentences.push(detail);
	sentences.push(description);
	return { status: 'Error', message: filledAdvice(sentences.join(' '), 'user', '') };
}
