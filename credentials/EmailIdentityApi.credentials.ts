import {
	UserError,
	type IAuthenticate,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

export class EmailIdentityApi implements ICredentialType {
	name = 'emailIdentityApi';

	displayName = 'Email Identity API';

	icon: Icon = {
		light: 'file:../icons/emailIdentity.svg',
		dark: 'file:../icons/emailIdentity.dark.svg',
	};

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-email-identity#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://mail.example.com/api',
			description: 'Address of the service, ending in the path of its API',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Key of the account whose identities, messages and webhooks you work with',
		},
		{
			displayName: 'Allow Private Webhook URLs',
			name: 'allowPrivateWebhookUrls',
			type: 'boolean',
			default: false,
			description:
				'Whether webhooks may point to private addresses and plain HTTP. Turn on only when the service runs on the same network as n8n.',
		},
	];

	/**
	 * Adds the key to a request, and only to one for the service itself: n8n's other nodes can be given
	 * this credential too, with any address. Those that follow redirects (HTTP Request before 4.4) leave the key behind
	 * when they get to another origin.
	 *
	 * @throws UserError when the request goes to another origin than the base URL's
	 */
	authenticate: IAuthenticate = async (credential, request) => {
		const base = String(credential.baseUrl ?? '').trim();
		const { origin } = new URL(addressOf(request), base);
		if (origin !== new URL(base).origin) {
			throw new UserError(
				`The Email Identity API key is only sent to the service itself, not to ${origin}. Use the base URL of the credential.`,
			);
		}
		const apiKey = String(credential.apiKey ?? '').trim();
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
			sendCredentialsOnCrossOriginRedirect: false,
		};
	};
}

/** The HTTP Request node still names the address `uri`. */
function addressOf({ url, uri, baseURL }: IHttpRequestOptions & { uri?: string }): string {
	const address = url || uri || '';
	return baseURL ? new URL(address, baseURL).href : address;
}
