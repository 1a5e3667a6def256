import { N8n, type NodeDefinition } from '../../test/support/n8n';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from '../../test/e2e/support/deployment';

const HEADER_CREDENTIAL_TYPE = 'httpHeaderAuth';

/** Executions contain the long lists, so n8n needs memory. */
const ROOM_FOR_LONG_LISTS = { NODE_OPTIONS: '--max-old-space-size=8192' };

/** Each gives about 4 KB of JSON. */
const email = (number: number): string =>
	[
		`From: Ada <ada@example.com>\r\nTo: ${ADDRESS}\r\nSubject: Order ${number}\r\nMessage-ID: <${number}@example.com>\r\n`,
		...Array<string>(20).fill('Thank you for your order. Please find the invoice attached.'),
	].join('\r\n');

/**
 * A real n8n, a service, and functions that create both kinds of node.
 *
 * @param extraIdentities of the owner, beside the sandbox's own
 */
export async function startActionHost({ extraIdentities = 0, messages = 0 }) {
	const n8n = await N8n.start({ release: '2', environment: ROOM_FOR_LONG_LISTS });
	try {
		const { sandbox, credential } = await deploy(n8n, 'fork', { extraIdentities });
		const messageIds: string[] = [];
		for (let number = 0; number < messages; number++) {
			const received = await sandbox.receiveMail(email(number), { to: ADDRESS });
			messageIds.push(...received.messages.map(({ fields }) => fields.id));
		}
		const header = await n8n.credentials.create(HEADER_CREDENTIAL_TYPE, {
			name: 'Authorization',
			value: `Bearer ${sandbox.accounts.owner.apiKey}`,
		});
		return {
			n8n,
			sandbox,
			messageIds,
			ours: (parameters: Record<string, unknown>): NodeDefinition => ({
				name: 'Email Identity',
				type: 'n8n-nodes-email-identity.emailIdentity',
				parameters,
				credentials: { [CREDENTIAL_TYPE]: credential },
				onError: 'continueRegularOutput',
			}),
			/** n8n's HTTP Request node with its defaults, asking for a path of the service. */
			httpRequest: (path: string): NodeDefinition => ({
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					url: `=${sandbox.baseUrl}${path}`,
					authentication: 'genericCredentialType',
					genericAuthType: HEADER_CREDENTIAL_TYPE,
					options: {},
				},
				credentials: { [HEADER_CREDENTIAL_TYPE]: header },
				onError: 'continueRegularOutput',
			}),
			async stop() {
				await n8n.stop();
				await sandbox.stop();
			},
		};
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}
