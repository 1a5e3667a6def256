import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import type { RigCredential } from './nodeSetup';

const credentialType = new EmailIdentityApi();

/** Hands out the credential of the test and applies the credential type's own `authenticate`, as n8n's helper does. */
export class RigCredentialsHelper extends ICredentialsHelper {
	constructor(private readonly credential: RigCredential | undefined) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		if (this.credential === undefined) throw new Error('The test gave the node no credential');
		return { allowPrivateWebhookUrls: false, ...this.credential };
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(credentials, requestOptions);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	getCredentials(): Promise<ICredentials> {
		throw new Error('The rig stores no encrypted credentials');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(): ICredentialType['properties'] {
		return credentialType.properties;
	}
}
