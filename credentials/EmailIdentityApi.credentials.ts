import {
	UserError,
	type IAuthenticate,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { normaliseApiKey } from '../nodes/EmailIdentity/api/requests/credential';
import { parseUrl } from '../lib/basics';

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
			placeholder: 'e.g. https://mail.example.com/api/kurrier',
			description: 'URL of the service, including the path of its API',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'API key of the account that owns the identities, messages and webhooks',
		},
		{
			displayName: 'Allow Private Webhook URLs',
			name: 'allowPrivateWebhookUrls',
			type: 'boolean',
			default: false,
			description:
				"Whether webhook URLs may use private addresses and plain HTTP. Turn on only if the service runs on the same network as n8n. Some services deliver there only if their operator allows it (Kurrier's fork: OUTBOUND_ALLOW_PRIVATE_NETWORKS=true).",
		},
	];

	/**
	 * Adds the key only to requests for the service itself: n8n's HTTP Request node can use this credential with any URL.
	 * Nodes that follow redirects (HTTP Request before 4.4) drop the key when the origin changes.
	 *
	 * @throws UserError if the key could reach another server
	 */
	authenticate: IAuthenticate = async (credential, request) => {
		const url = addressOf(request);
		const base = parseUrl(String(credential.baseUrl ?? '').trim());
		if (!url || url.origin !== base?.origin) {
			const target = url?.origin ?? 'an incomplete URL';
			throw new UserError(
				`The Email Identity API key is only sent to the service itself, not to ${target}. Use the base URL of the credential.`,
			);
		}
		if (isInterceptable(request)) {
			throw new UserError(
				'The Email Identity API key is not sent through a proxy set in the node, or if the node ignores SSL issues. Remove these options from the node.',
			);
		}
		const apiKey = normaliseApiKey(credential.apiKey);
		const authenticated: Request = {
			...request,
			baseURL: undefined,
			headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
			sendCredentialsOnCrossOriginRedirect: false,
		};
		// The URL that was checked is sent, because HTTP clients parse some URLs differently.
		if ('uri' in request) authenticated.uri = url.href;
		if ('url' in request) authenticated.url = url.href;
		return authenticated;
	};
}

/** HTTP Request also passes the undocumented options `uri` and `rejectUnauthorized`. */
type Request = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

/** Combines the URLs as HTTP clients do: the base URL only applies to a relative URL. */
function addressOf({ url, uri, baseURL }: Request): URL | undefined {
	let address = String(url || uri || '');
	const isAbsolute = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address);
	if (baseURL && !isAbsolute) {
		address = `${baseURL.replace(/\/$/, '')}/${address.replace(/^\/+/, '')}`;
	}
	const isComplete = /^https?:\/\/[^\s\\/?#]/i.test(address);
	if (!isComplete) return undefined;
	return parseUrl(address);
}

/** Whether options of the node let a third party read the request. */
function isInterceptable(request: Request): boolean {
	if (request.proxy) return true;
	if (request.skipSslCertificateValidation === true) return true;
	if (request.rejectUnauthorized === false) return true;
	return request.agentOptions?.rejectUnauthorized === false;
}
