import { N8n, type NodeDefinition } from '../../test/e2e/driver';
import { API_KEY, startSlowService, type SlowService } from './slowService';

const CREDENTIAL_TYPE = 'emailIdentityApi';
const HEADER_CREDENTIAL_TYPE = 'httpHeaderAuth';

/** Long lists are kept with their executions; n8n must not run out of memory over that. */
const ROOM_FOR_LONG_LISTS = { NODE_OPTIONS: '--max-old-space-size=8192' };

/** A real n8n and a service for it to ask, with what both kinds of node need. */
export interface ActionHost {
	n8n: N8n;
	service: SlowService;
	/** Our action node. */
	ours(parameters: Record<string, unknown>): NodeDefinition;
	/** n8n's HTTP Request node with its defaults, asking for a path of the service. */
	httpRequest(path: string): NodeDefinition;
	stop(): Promise<void>;
}

export async function startActionHost(): Promise<ActionHost> {
	const service = await startSlowService();
	try {
		const n8n = await N8n.start({ release: '2', environment: ROOM_FOR_LONG_LISTS });
		const own = await n8n.credentials.create(CREDENTIAL_TYPE, {
			baseUrl: service.baseUrl,
			apiKey: API_KEY,
			allowPrivateWebhookUrls: true,
		});
		const header = await n8n.credentials.create(HEADER_CREDENTIAL_TYPE, {
			name: 'Authorization',
			value: `Bearer ${API_KEY}`,
		});
		return {
			n8n,
			service,
			ours: (parameters) => ({
				name: 'Email Identity',
				type: 'n8n-nodes-email-identity.emailIdentity',
				parameters,
				credentials: { [CREDENTIAL_TYPE]: own },
				onError: 'continueRegularOutput',
			}),
			httpRequest: (path) => ({
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					url: `=${service.baseUrl}${path}`,
					authentication: 'genericCredentialType',
					genericAuthType: HEADER_CREDENTIAL_TYPE,
					options: {},
				},
				credentials: { [HEADER_CREDENTIAL_TYPE]: header },
				onError: 'continueRegularOutput',
			}),
			async stop() {
				await n8n.stop();
				await service.stop();
			},
		};
	} catch (error) {
		await service.stop();
		throw error;
	}
}
