import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { normaliseBaseUrl } from './credential';
import { unwrapObject } from './responses';
import { REPORTED_FAILURE, adviceFor } from './errorAdvice';
import { parseJson } from './json';
import { followRedirects, redirectTarget } from './redirects';
import type { Exchange } from './sendRequest';
import { TRANSPORT_ADVICE, toTransportFailure, type TransportFailure } from './transportFailures';
import type { Advice, ApiResponse } from './types';

/** Milliseconds. Somebody waits; the test is made once, without repetition. */
const TIMEOUT = 10_000;

const NOT_THIS_API: Advice = {
	message: 'Something answered at this address, but it is not the Email Identity API',
	description: 'Check the base URL: it must end in the path of the API.',
};

/**
 * Tests the credential by asking the service who the API key belongs to (contract, `GET /me`).
 *
 * n8n's declarative test can tell neither an unreachable host from a wrong one in plain words nor a web
 * page from the API, so the nodes bring this function along.
 */
export async function emailIdentityApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const base = normaliseBaseUrl(credential.data?.baseUrl);
	if ('problem' in base) return { status: 'Error', message: base.problem };
	const apiKey = String(credential.data?.apiKey ?? '').trim();
	if (apiKey === '') return { status: 'Error', message: 'The API key is empty. Enter it.' };
	const askAt = async (uri: string): Promise<Exchange> => {
		// The only request function that n8n gives to a credential test.
		const { request } = this.helpers;
		const answer = (await request({
			method: 'GET',
			uri,
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: TIMEOUT,
		})) as { statusCode: number; headers: ApiResponse['headers']; body: unknown };
		const { statusCode: status, headers, body } = answer;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
		return { response: { status, headers, text, url: uri } };
	};
	try {
		const exchange = await followRedirects(askAt, `${base.baseUrl}/me`, 'GET');
		return 'response' in exchange ? judge(exchange.response) : failAs(exchange.failure);
	} catch (error) {
		return failAs(toTransportFailure(error));
	}
}

const WHO_AM_I = { method: 'GET', subject: 'user' } as const;

function judge(answer: ApiResponse): INodeCredentialTestResult {
	const { status, text } = answer;
	if (status >= 300)
		return fail(adviceFor({ status, text, redirect: redirectTarget(answer) }, WHO_AM_I));
	const parsed = parseJson(text);
	const user = parsed && unwrapObject(parsed.value, 'user');
	if (user && 'value' in user) return { status: 'OK', message: 'Connection successful' };
	return fail(user?.isFailure ? REPORTED_FAILURE : NOT_THIS_API);
}

function failAs({ problem }: TransportFailure): INodeCredentialTestResult {
	return fail(TRANSPORT_ADVICE[problem]);
}

function fail({ message, description }: Advice): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${description}` };
}
