import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import type { TestCredential } from './nodeSetup';

type Authenticate = Extract<EmailIdentityApi['authenticate'], (...given: never) => unknown>;

/** Hands out the credential of the test and applies the credential type's own `authenticate`, as n8n's helper does. */
export function credentialsHelperFor(credential: TestCredential | undefined): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
			if (credential === undefined) throw new Error('The test gave the node no credential');
			return await Promise.resolve({ allowPrivateWebhookUrls: false, ...credential });
		},
		async authenticate(given, _type, request) {
			const authenticate = new EmailIdentityApi().authenticate as Authenticate;
			return await authenticate(given, request as IHttpRequestOptions);
		},
		preAuthentication: async () => await Promise.resolve(undefined),
	};
	// The rest is for OAuth and for stored credentials.
	return helper as ICredentialsHelper;
}
