import { deriveSecret, type Listening } from '../../../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../../../nodes/EmailIdentity/trigger/staticData';
import {
	carriesMark,
	subscriptionUrl,
} from '../../../../../nodes/EmailIdentity/trigger/subscription/subscriptionUrl';
import type { StoredWebhook } from '../../../../../sandbox';
import { Workflow, type Instance, type TriggerNode } from './instance';

export class Flow extends Workflow {
	/** `on`: exactly one, correct and enabled; `off`: none enabled; `open`: unknown after a failure, crash or change by someone. */
	expectation: 'on' | 'off' | 'open' = 'off';

	/** Whether the log named what is left, such as in another account. */
	isTold = false;

	mayHaveStrayTest = false;

	constructor(
		readonly instance: Instance,
		draft: TriggerNode,
		staticData: Workflow['staticData'] = {},
	) {
		super(draft, staticData);
	}

	accountOf({ credential }: TriggerNode) {
		const { world, credentials } = this.instance;
		return world.sandbox.accounts[credentials[credential]];
	}

	ownIds(): string[] {
		const { addresses } = this.instance;
		const listed = [
			...this.pointingAt('production', addresses),
			...this.pointingAt('test', addresses),
		];
		return listed.map(({ id }) => id);
	}

	/** At its address with any query, or at a gateway. */
	pointingAt(listening: Listening, origins = [this.instance.address]): StoredWebhook[] {
		const { instanceId, world } = this.instance;
		const { webhookId } = this.draft;
		const addresses = origins.map((origin) => addressOf(webhookId, origin, listening));
		return world.sandbox.webhooks().filter(({ id, url }) => {
			if (world.copies.has(id)) return false;
			const isMarked = carriesMark(url, { instanceId, webhookPath: webhookId });
			return (
				addresses.includes(url.replace(/\?.*$/, '')) || (listening === 'production' && isMarked)
			);
		});
	}
}

function addressOf(webhookId: string, origin: string, listening: Listening): string {
	const path = { production: 'webhook', test: 'webhook-test' }[listening];
	return `${origin}/${path}/${webhookId}/webhook`;
}

/** @throws Error when the production subscription is not as expected */
export function checkProduction(flow: Flow): void {
	const { instance, expectation, name } = flow;
	const node = flow.published ?? flow.draft;
	const { userId, apiKey, identities } = flow.accountOf(node);
	const delivering = flow
		.pointingAt('production', instance.addresses)
		.filter(({ enabled, ownerId }) => enabled && (ownerId === userId || !flow.isTold));
	if (expectation === 'off')
		expectNone(delivering, `"${name}" is switched off, but delivered to by`);
	if (expectation !== 'on') return;
	const chosen = chosenOf(node);
	if (chosen !== null && !identities.some(({ id }) => id === chosen)) {
		const widened = delivering.filter(({ identityId }) => identityId !== chosen);
		return expectNone(widened, `"${name}" is for an identity that is gone, and receives by`);
	}
	const [only, ...duplicates] = flow
		.pointingAt('production')
		.filter(({ ownerId }) => ownerId === userId);
	if (!only) throw new Error(`"${name}" is active, but has no subscription`);
	expectNone(duplicates, `"${name}" has more than one subscription:`);
	const others = delivering.filter(({ id }) => id !== only.id);
	expectNone(others, `"${name}" is also delivered to by`);
	expectFields(only, {
		enabled: true,
		url: urlOf(instance, node, apiKey),
		events: ['message.received'],
		identityId: identities.some(({ id, kind }) => id === chosen && kind === 'domain')
			? null
			: chosen,
	});
	// Deliveries rely on it.
	const stored = flow.staticData[node.name]?.subscription as
		Partial<StoredSubscription> | undefined;
	if (stored?.id !== only.id || !stored.ownerId) return;
	const { ownerId, workspaceId } = stored;
	expectFields(only, { ownerId, ...(workspaceId && { workspaceId }) });
}

function urlOf(instance: Instance, node: TriggerNode, apiKey: string): string {
	const { webhookId, parameters } = node;
	const { deliveryUrl = '' } = (parameters.advanced ?? {}) as { deliveryUrl?: string };
	const scope = {
		instanceId: instance.instanceId,
		webhookPath: webhookId,
		listening: 'production' as const,
	};
	const address = addressOf(webhookId, instance.address, 'production');
	const endpoint = { ...scope, address, deliveryUrl: deliveryUrl.trim(), name: node.name };
	return subscriptionUrl(endpoint, deriveSecret(apiKey, scope));
}

/**
 * Only in the present account: if the credential changes while n8n listens, n8n itself forgets the old one.
 *
 * @throws Error when the node listens with more or less than one subscription of its own, or left one behind
 */
export function checkListening(flow: Flow): void {
	const { instance, name } = flow;
	const { userId } = flow.accountOf(flow.draft);
	const all = flow.pointingAt('test', instance.addresses);
	const own = all.filter(({ ownerId }) => ownerId === userId);
	const unmarked = own.filter(({ description }) => !description?.startsWith('[Test]'));
	expectNone(unmarked, 'A test subscription is not marked as one:');
	if (flow.listening) {
		if (!all.some(({ enabled }) => enabled)) throw new Error(`"${name}" listens to nothing`);
		expectNone(own.slice(1), `"${name}" listens more than once:`);
	} else if (!flow.mayHaveStrayTest) {
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

function expectFields(webhook: StoredWebhook, wanted: Partial<StoredWebhook>): void {
	for (const [field, value] of Object.entries(wanted)) {
		const found = JSON.stringify(webhook[field as keyof StoredWebhook]);
		if (found !== JSON.stringify(value)) {
			throw new Error(`${webhook.description} has ${field} ${found}, not ${JSON.stringify(value)}`);
		}
	}
}
