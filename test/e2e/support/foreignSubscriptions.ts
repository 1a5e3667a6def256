import type { Sandbox, StoredWebhook } from '../../../sandbox';
import type { N8n, StoredWorkflow } from '../driver';
import { webhookPath } from './triggers';

/**
 * Subscriptions that n8n did not make, for an event that never comes: eight of other integrations, two that look like the
 * workflow's own.
 */
export function addForeign(
	sandbox: Sandbox,
	n8n: N8n,
	workflow: Pick<StoredWorkflow, 'nodes'>,
): StoredWebhook[] {
	const urls = [
		...Array.from({ length: 8 }, (_, index) => `https://crm.example/hooks/${index}`),
		`${n8n.url}${webhookPath(workflow)}/archive`,
		`https://elsewhere.example${webhookPath(workflow)}/`,
	];
	return urls.map((url) => sandbox.addWebhook({ url, events: ['message.sent'] }));
}

/** The same subscriptions as they are now, to be compared. */
export function foreignOf(sandbox: Sandbox, foreign: readonly StoredWebhook[]): StoredWebhook[] {
	const ids = new Set(foreign.map(({ id }) => id));
	return sandbox.webhooks().filter(({ id }) => ids.has(id));
}
