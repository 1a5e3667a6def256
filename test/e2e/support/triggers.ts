import { chain, itemsOf, until } from '../driver';
import type { CredentialReference, Execution, Item, N8n, StoredWorkflow } from '../driver';
import type { Sandbox } from '../../../sandbox';
import type { StoredWebhook } from '../../../sandbox';
import { CREDENTIAL_TYPE } from './deployment';

export const TRIGGER = 'Email Received';
const AFTER_TRIGGER = 'Next';

/** Stores a workflow that starts on a received email. A test asks for no checks at intervals unless it says so. */
export async function createTriggerWorkflow(
	n8n: N8n,
	credential: CredentialReference,
	parameters: Record<string, unknown> = {},
): Promise<StoredWorkflow> {
	const trigger = {
		name: TRIGGER,
		type: 'n8n-nodes-email-identity.emailIdentityTrigger',
		typeVersion: 2,
		parameters: { options: { checkEvery: 0 }, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const next = { name: AFTER_TRIGGER, type: 'n8n-nodes-base.noOp' };
	return await n8n.workflows.create(chain('On email', [trigger, next]));
}

/** The path of a workflow's production address, which no other subscription has. */
export function webhookPath({ nodes }: Pick<StoredWorkflow, 'nodes'>): string {
	const trigger = nodes.find(({ name }) => name === TRIGGER);
	return `/webhook/${trigger?.webhookId}/webhook`;
}

/** The subscriptions in the service that point at a workflow's production address. */
export function subscriptionsOf(sandbox: Sandbox, workflow: StoredWorkflow): StoredWebhook[] {
	return sandbox.webhooks().filter(({ url }) => new URL(url).pathname === webhookPath(workflow));
}

/** The one subscription of a workflow; fails when there is another number of them. */
export function subscriptionOf(sandbox: Sandbox, workflow: StoredWorkflow): StoredWebhook {
	const [subscription, ...others] = subscriptionsOf(sandbox, workflow);
	if (!subscription || others.length > 0) {
		throw new Error(`The workflow has ${subscription ? others.length + 1 : 0} subscriptions.`);
	}
	return subscription;
}

/** The subscriptions for test events; the prefix of their addresses is n8n's default. */
export function testSubscriptions(sandbox: Sandbox): StoredWebhook[] {
	return sandbox.webhooks().filter(({ url }) => new URL(url).pathname.startsWith('/webhook-test/'));
}

/** What the trigger gave the rest of the workflow, by way of the node after it. */
export function startedWith(execution: Execution): Item {
	const [item] = itemsOf(execution, AFTER_TRIGGER);
	if (!item) throw new Error(`Execution ${execution.id} has no item.`);
	return item;
}

/** Waits until n8n starts a workflow at its production address (2.x registers it a moment after publishing). */
export async function untilRegistered(n8n: N8n, workflow: StoredWorkflow): Promise<void> {
	await until(
		async () => {
			const response = await fetch(`${n8n.url}${webhookPath(workflow)}`, { method: 'POST' });
			return response.status !== 404;
		},
		{ describe: `n8n takes deliveries for workflow ${workflow.id}` },
	);
}
