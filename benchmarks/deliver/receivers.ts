import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSandbox, type Sandbox } from '../../sandbox';
import { chain, N8n, packedPackage, until, type NodeDefinition } from '../../test/e2e/driver';

const EMPTY_TRIGGER = 'n8n-nodes-empty-trigger.emptyTrigger';

const CREDENTIAL_TYPE = 'emailIdentityApi';

export type Contestant = 'ours' | 'empty trigger' | 'Webhook node';

/** An active workflow that a delivery starts. */
export interface Receiver {
	url: string;
	workflowId: string;
}

/** A real n8n with the same workflow three times, each started by another kind of node. */
export interface Receivers {
	n8n: N8n;
	receivers: Record<Contestant, Receiver>;
	stop(): Promise<void>;
}

/** @param environment settings of n8n */
export async function startReceivers(
	scratch: string,
	environment: Record<string, string> = {},
): Promise<Receivers> {
	const sandbox = await startSandbox({ dialect: 'observed' });
	try {
		const fixture = join(__dirname, '../fixtures/empty-trigger');
		await promisify(execFile)('npm', ['pack', '--pack-destination', scratch], { cwd: fixture });
		const packages = [await packedPackage(), join(scratch, 'n8n-nodes-empty-trigger-1.0.0.tgz')];
		const n8n = await N8n.start({ release: '2', packages, environment });
		try {
			const credentials = await storeCredential(n8n, sandbox);
			const receivers = {
				ours: await activateOurs(n8n, sandbox, credentials),
				'empty trigger': await activate(
					n8n,
					EMPTY_TRIGGER,
					2,
					(id) => `/webhook/${id}/webhook`,
					() => ({}),
					credentials,
				),
				'Webhook node': await activate(
					n8n,
					'n8n-nodes-base.webhook',
					2,
					(id) => `/webhook/${id}`,
					(id) => ({ httpMethod: 'POST', path: id, options: {} }),
				),
			};
			const stop = async () => {
				await n8n.stop();
				await sandbox.stop();
			};
			return { n8n, receivers, stop };
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

async function storeCredential(n8n: N8n, { baseUrl, accounts }: Sandbox) {
	const credential = await n8n.credentials.create(CREDENTIAL_TYPE, {
		baseUrl,
		apiKey: accounts.owner.apiKey,
		allowPrivateWebhookUrls: true,
	});
	return { [CREDENTIAL_TYPE]: credential };
}

async function activateOurs(
	n8n: N8n,
	{ webhooks }: Sandbox,
	credentials: NodeDefinition['credentials'],
): Promise<Receiver> {
	const { url, workflowId } = await activate(
		n8n,
		'n8n-nodes-email-identity.emailIdentityTrigger',
		2,
		(id) => `/webhook/${id}/webhook`,
		() => ({}),
		credentials,
	);
	const subscription = webhooks().find((one) => one.enabled && one.url.startsWith(url));
	if (subscription === undefined) throw new Error('The trigger has no subscription.');
	return { url: subscription.url, workflowId };
}

async function activate(
	n8n: N8n,
	type: string,
	typeVersion: number,
	path: (webhookId: string) => string,
	parameters: (webhookId: string) => Record<string, unknown> = () => ({}),
	credentials: NodeDefinition['credentials'] = {},
): Promise<Receiver> {
	const webhookId = randomUUID();
	const trigger: NodeDefinition = {
		name: 'Trigger',
		type,
		typeVersion,
		webhookId,
		parameters: parameters(webhookId),
		credentials,
	};
	const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
	const { id } = await n8n.workflows.create(chain(`On ${type}`, [trigger, nothing]));
	await n8n.workflows.activate(id);
	const url = `${n8n.url}${path(webhookId)}`;
	await untilRegistered(url);
	return { url, workflowId: id };
}

/** n8n answers 404 until it knows the address; a request of another method does not start the workflow. */
async function untilRegistered(url: string): Promise<void> {
	await until(
		async () => {
			const response = await fetch(url);
			const { message = '' } = (await response.json()) as { message?: string };
			return message.includes('POST');
		},
		{ describe: `n8n takes deliveries at ${url}` },
	);
}
