import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { normaliseBaseUrl } from './credential';
import { unwrapObject } from './envelope';
import { STATUS_ADVICE, STATUS_CLASS_ADVICE, WRONG_ADDRESS, type Advice } from './errorMessages';
import { parseJson } from './json';
import { failureAdvice } from './transport';

const TIMEOUT = 15_000;

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
	try {
		// The only request function that n8n gives to a credential test.
		const { request } = this.helpers;
		const answer = (await request({
			method: 'GET',
			uri: `${base.baseUrl}/me`,
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: TIMEOUT,
		})) as { statusCode: number; body: unknown };
		return judge(answer.statusCode, answer.body);
	} catch (error) {
		return fail(failureAdvice(error));
	}
}

function judge(status: number, body: unknown): INodeCredentialTestResult {
	if (status >= 300) {
		const advice = status === 404 ? WRONG_ADDRESS : undefined;
		const byClass = STATUS_CLASS_ADVICE[Math.floor(status / 100)];
		return fail(advice ?? STATUS_ADVICE[status] ?? byClass ?? NOT_THIS_API);
	}
	const parsed = typeof body === 'string' ? parseJson(body) : { value: body };
	const user = parsed && unwrapObject(parsed.value, 'user');
	return user && 'value' in user
		? { status: 'OK', message: 'Connection successful' }
		: fail(NOT_THIS_API);
}

function fail({ message, description }: Advice): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${description}` };
}
