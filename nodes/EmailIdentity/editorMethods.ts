import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
} from 'n8n-workflow';

import { loadRuntime } from './loadRuntime';

/** Tests the credential, see `api/credentialTest`. */
export async function emailIdentityApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const runtime = await loadRuntime();
	return await runtime.emailIdentityApiTest.call(this, credential);
}

/** Fills the Identity drop-down, see `listSearch`. */
export async function searchIdentities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const runtime = await loadRuntime();
	return await runtime.searchIdentities.call(this, filter, paginationToken);
}

/** Fills the Webhook drop-down, see `listSearch`. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const runtime = await loadRuntime();
	return await runtime.searchWebhooks.call(this, filter, paginationToken);
}
