import { startSandbox } from '../../../sandbox';
import type { DialectName, Sandbox, SandboxOptions } from '../../../sandbox';
import type { CredentialReference, N8n } from '../../support/n8n';

export const CREDENTIAL_TYPE = 'emailIdentityApi';

/** The fields of the credential form, for a service on this machine. */
export function credentialData({ baseUrl, accounts }: Sandbox): Record<string, unknown> {
	return { baseUrl, apiKey: accounts.owner.apiKey, allowPrivateWebhookUrls: true };
}

/** The fork gives a delivery up after 15 seconds, which n8n may need on a busy machine. */
const MAX_DELIVERY_MS = 600_000;

/** Starts a stand-in and stores its credential in an n8n. The caller stops the stand-in. */
export async function deploy(n8n: N8n, dialect: DialectName, options: SandboxOptions = {}) {
	const sandbox = await startSandbox({ ...options, dialect });
	sandbox.setDialect({ deliveryTimeoutMs: MAX_DELIVERY_MS });
	return { sandbox, credential: await storeCredential(n8n, sandbox) };
}

export async function storeCredential(n8n: N8n, sandbox: Sandbox): Promise<CredentialReference> {
	const name = `Email Identity, ${sandbox.dialect.name}`;
	return await n8n.credentials.create(CREDENTIAL_TYPE, credentialData(sandbox), name);
}

/** An address that receives mail for the owner of the credential. */
export const ADDRESS = 'sales@example.test';

/** A file to attach. */
export const STOCK_LIST = {
	filename: 'stock list.csv',
	content: 'item,quantity\r\nstamps,80\r\n',
	contentType: 'text/csv',
};
