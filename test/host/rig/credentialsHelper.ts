import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import type { RigCredential } from './nodeSetup';

const credentialType: ICredentialType = new EmailIdentityApi();

const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

/**
 * Hands out the credential of the test and applies the credential type's own `authenticate` the way
 * n8n's helper does (`credentials-helper.js`): every value of the generic form may be an expression.
 */
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
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = credentialType;
		if (authenticate === undefined) return requestOptions;
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		if (workflow === undefined || node === undefined) {
			throw new Error('A declarative credential needs the workflow and the node');
		}
		const resolve = (value: unknown): unknown =>
			isExpression(value)
				? workflow.expression.getSimpleParameterValue(
						node,
						value,
						'internal',
						{ $credentials: credentials },
						undefined,
						'',
					)
				: value;
		const authenticated: Record<string, unknown> = { ...requestOptions };
		for (const [part, values] of Object.entries(authenticate.properties)) {
			const added = Object.entries(values as Record<string, unknown>).map(([key, value]) => [
				resolve(key),
				resolve(value),
			]);
			authenticated[part] = {
				...(authenticated[part] as object | undefined),
				...Object.fromEntries(added),
			};
		}
		return authenticated as unknown as IHttpRequestOptions;
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
