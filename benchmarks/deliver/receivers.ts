import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { chain, N8n, packedPackage, until, type CredentialReference } from '../../test/support/n8n';
import { CREDENTIAL_TYPE, deploy } from '../../test/e2e/support/deployment';

/** A package of triggers that do nothing but start their workflows. */
export const EMPTY_TRIGGER = join(__dirname, '../fixtures/empty-trigger');

const OUR_TYPE = 'n8n-nodes-email-identity.emailIdentityTrigger';
const EMPTY_TYPE = 'n8n-nodes-empty-trigger.emptyTrigger';

const UNFINISHED = encodeURIComponent(JSON.stringify({ status: ['new', 'running', 'waiting'] }));

/** A real n8n with the same workflow twice, started by our trigger and by an empty one. */
export interface Receivers {
	n8n: N8n;
	/** Where each takes deliveries. */
	urls: { ours: string; empty: string };
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
		const ours = await activate(n8n, OUR_TYPE, credential);
		const empty = await activate(n8n, EMPTY_TYPE, credential);
		return { n8n, urls: { ours: withSecret(ours, sandbox), empty }, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** @returns the address of the workflow's webhook */
async function activate(n8n: N8n, type: string, credential: CredentialReference): Promise<string> {
	const webhookId = randomUUID();
	const trigger = {
		name: 'Trigger',
		type,
		typeVersion: 2,
		webhookId,
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
	const { id } = await n8n.workflows.create(chain(`On ${type}`, [trigger, nothing]));
	await n8n.workflows.activate(id);
	const url = `${n8n.url}/webhook/${webhookId}/webhook`;
	await untilRegistered(url);
	return url;
}

/** Our trigger gave the service its address with a secret. */
function withSecret(url: string, sandbox: Sandbox): string {
	const webhook = sandbox.webhooks().find((one) => one.url.startsWith(url));
	if (webhook === undefined) throw new Error('Our trigger has no webhook.');
	return webhook.url;
}

/** n8n answers 404 until it knows the address; a request of another method does not start the workflow. */
async function untilRegistered(url: string): Promise<void> {
	await until(`n8n takes deliveries at ${url}`, async () => {
		const response = await fetch(url);
		const { message = '' } = (await response.json()) as { message?: string };
		return message.includes('POST');
	});
}

/** No execution may slow down what is measured next. */
export async function untilIdle(n8n: N8n): Promise<void> {
	const path = `/rest/executions?limit=1&filter=${UNFINISHED}`;
	const isIdle = async () => {
		const { results } = await n8n.session.call<{ results: unknown[] }>('GET', path);
		return results.length === 0;
	};
	await until('n8n has ended all executions', isIdle, 180_000);
}
