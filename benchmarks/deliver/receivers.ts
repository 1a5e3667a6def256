import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { chain, N8n, packedPackage, until, type CredentialReference } from '../../test/support/n8n';
import { CREDENTIAL_TYPE, deploy } from '../../test/e2e/support/deployment';

/** A package of triggers that do nothing but start their workflows. */
export const EMPTY_TRIGGER = join(__dirname, '../fixtures/empty-trigger');

const CONTESTANTS = {
	ours: 'n8n-nodes-email-identity.emailIdentityTrigger',
	'empty trigger': 'n8n-nodes-empty-trigger.emptyTrigger',
};

export type Contestant = keyof typeof CONTESTANTS;

interface Receiver {
	url: string;
	workflowId: string;
}

/** A real n8n with the same workflow twice, each started by another kind of node. */
export interface Receivers {
	n8n: N8n;
	receivers: Record<Contestant, Receiver>;
	stop(): Promise<void>;
}

export async function startReceivers(environment: Record<string, string>): Promise<Receivers> {
	const packages = [await packedPackage(), EMPTY_TRIGGER];
	const n8n = await N8n.start({ release: '2', packages, environment });
	const { sandbox, credential } = await deploy(n8n, 'observed');
	const stop = async () => {
		await n8n.stop();
		await sandbox.stop();
	};
	try {
		const receivers: Partial<Receivers['receivers']> = {};
		for (const [name, type] of Object.entries(CONTESTANTS)) {
			receivers[name as Contestant] = await activate(n8n, type, credential, sandbox);
		}
		return { n8n, receivers: receivers as Receivers['receivers'], stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function activate(
	n8n: N8n,
	type: string,
	credential: CredentialReference,
	sandbox: Sandbox,
): Promise<Receiver> {
	const webhookId = randomUUID();
	const trigger = {
		name: 'Trigger',
		type,
		typeVersion: 2,
		webhookId,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
	const { id: workflowId } = await n8n.workflows.create(chain(`On ${type}`, [trigger, nothing]));
	await n8n.workflows.activate(workflowId);
	const url = `${n8n.url}/webhook/${webhookId}/webhook`;
	await untilRegistered(url);
	// Ours has its secret in the subscription.
	const subscription = sandbox.webhooks().find((webhook) => webhook.url.startsWith(url));
	return { url: subscription?.url ?? url, workflowId };
}

/** n8n answers 404 until it knows the address; a request of another method does not start the workflow. */
async function untilRegistered(url: string): Promise<void> {
	await until(`n8n takes deliveries at ${url}`, async () => {
		const response = await fetch(url);
		const { message = '' } = (await response.json()) as { message?: string };
		return message.includes('POST');
	});
}
