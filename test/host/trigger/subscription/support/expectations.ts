import { deriveSecret } from '../../../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../../../nodes/EmailIdentity/trigger/staticData';
import {
	fingerprintOf,
	partsOf,
	subscriptionUrl,
} from '../../../../../nodes/EmailIdentity/trigger/webhooks/subscriptionUrl';
import type { StoredWebhook } from '../../../../../sandbox';
import type { TriggerNode, Workflow } from './instance';
import { COLLEAGUE } from './steps';

export function accountOf({ instance }: Workflow, { credential }: TriggerNode) {
	return instance.world.sandbox.accounts[instance.credentials[credential]];
}

/** At a workflow's address with any query, at a former one with a secret, or at a gateway. */
export function pointingAt(
	{ instance, draft: { webhookId } }: Workflow,
	listening: 'production' | 'test',
	origins = instance.addresses,
): StoredWebhook[] {
	const addresses = origins.map((origin) => addressOf(webhookId, origin, listening));
	const node = { instanceId: instance.instanceId, webhookPath: webhookId };
	return instance.world.sandbox.webhooks().filter(({ url, ownerId }) => {
		if (ownerId === COLLEAGUE) return false;
		const hasFingerprint =
			listening === 'production' && partsOf(url).fingerprint === fingerprintOf(node);
		if (hasFingerprint || url.replace(/\?.*$/, '') === addresses.at(-1)) return true;
		const hasSecret = new URL(url).searchParams.has('token');
		return hasSecret && addresses.some((address) => url.startsWith(`${address}?`));
	});
}

function addressOf(webhookId: string, origin: string, listening: 'production' | 'test'): string {
	const path = { production: 'webhook', test: 'webhook-test' }[listening];
	return `${origin}/${path}/${webhookId}/webhook`;
}

/** @throws Error when the production subscription is not as expected */
export function checkProduction(workflow: Workflow): void {
	const { instance, expectation, name } = workflow;
	const node = workflow.published ?? workflow.draft;
	const { userId, identities } = accountOf(workflow, node);
	const delivering = pointingAt(workflow, 'production').filter(
		({ enabled, ownerId }) => enabled && (ownerId === userId || !workflow.isTold),
	);
	if (expectation === 'off')
		expectNone(delivering, `"${name}" is switched off, but delivered to by`);
	if (expectation !== 'on') return;
	const chosen = chosenOf(node);
	const identity = identities.find(({ id }) => id === chosen);
	if (chosen !== null && !identity) {
		const widened = delivering.filter(({ identityId }) => identityId !== chosen);
		return expectNone(widened, `"${name}" is for an identity that is gone, and receives by`);
	}
	const [only, ...duplicates] = pointingAt(workflow, 'production', [instance.address]).filter(
		({ ownerId }) => ownerId === userId,
	);
	if (!only) throw new Error(`"${name}" is active, but has no subscription`);
	expectNone(duplicates, `"${name}" has more than one subscription:`);
	const others = delivering.filter(({ id }) => id !== only.id);
	expectNone(others, `"${name}" is also delivered to by`);
	const url = urlOf(workflow, node);
	const identityId = identity?.kind === 'domain' ? null : chosen;
	expectFields(only, { enabled: true, url, events: ['message.received'], identityId });
	// Deliveries rely on it.
	const stored = workflow.staticData[node.name]?.subscription as StoredSubscription | undefined;
	if (stored?.id !== only.id || !stored.ownerId) return;
	const { ownerId, workspaceId } = stored;
	expectFields(only, { ownerId, ...(workspaceId && { workspaceId }) });
}

/** Faster than `toMatchObject`. */
function expectFields(webhook: StoredWebhook, fields: Partial<StoredWebhook>): void {
	const is = JSON.stringify(webhook);
	if (JSON.stringify({ ...webhook, ...fields }) !== is)
		throw new Error(`The subscription is ${is}, not with ${JSON.stringify(fields)}`);
}

function urlOf(workflow: Workflow, node: TriggerNode): string {
	const { instanceId, address: origin } = workflow.instance;
	const { webhookId, parameters, name } = node;
	const { deliveryUrl = '' } = (parameters.advanced ?? {}) as { deliveryUrl?: string };
	const scope = { instanceId, webhookPath: webhookId, listening: 'production' as const };
	const address = addressOf(webhookId, origin, 'production');
	const endpoint = { ...scope, address, deliveryUrl: deliveryUrl.trim(), name };
	return subscriptionUrl(endpoint, deriveSecret(accountOf(workflow, node).apiKey, scope));
}

/**
 * Only in the present account: if the credential changes while n8n listens, n8n itself forgets the old one.
 *
 * @throws Error when the node listens with more or less than one subscription of its own, or left one behind
 */
export function checkListening(workflow: Workflow): void {
	const { name, draft, listening, mayHaveStrayTest } = workflow;
	const { userId } = accountOf(workflow, draft);
	const all = pointingAt(workflow, 'test');
	const own = all.filter(({ ownerId }) => ownerId === userId);
	const unmarked = own.filter(({ description }) => !description?.startsWith('[Test]'));
	expectNone(unmarked, 'A test subscription is not marked as one:');
	if (listening) {
		if (!all.some(({ enabled }) => enabled)) throw new Error(`"${name}" listens to nothing`);
		expectNone(own.slice(1), `"${name}" listens more than once:`);
	} else if (!mayHaveStrayTest) {
		expectNone(own, `"${name}" left test subscriptions behind:`);
	}
}

function chosenOf({ parameters }: TriggerNode): string | null {
	const locator = parameters.identityId as { value: string } | undefined;
	return parameters.receiveFor === 'one' ? (locator?.value ?? null) : null;
}

function expectNone(webhooks: readonly StoredWebhook[], problem: string): void {
	if (webhooks.length === 0) return;
	throw new Error([problem, ...webhooks.map((webhook) => JSON.stringify(webhook))].join('\n  '));
}
