import { randomUUID } from 'node:crypto';
import { deriveSecret, type Listening } from '../../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import {
	carriesMark,
	subscriptionUrl,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';
import type { StoredWebhook } from '../../../../sandbox';
import type { Instance, StoredWorkflow, TriggerNode, World } from './instance';

/** A workflow, where it is, and what is known of its subscriptions. */
export class Flow implements StoredWorkflow {
	readonly id = randomUUID();

	readonly name = `Flow ${this.id}`;

	published?: TriggerNode;

	/**
	 * Of its production subscription: `on` exactly one, right and enabled; `off` none enabled; `open` n8n said
	 * that it could not be done, n8n died over it, or someone interfered since.
	 */
	expectation: 'on' | 'off' | 'open' = 'off';

	/** IDs of all subscriptions that were ever its own. */
	readonly own = new Set<string>();

	/** Whether the user was told to look after what is left, such as in another account. */
	isTold = false;

	/** Whether a test event was waited for when n8n died, or was forgotten by n8n 1.x. */
	mayHaveStrayTest = false;

	constructor(
		private readonly world: World,
		readonly instance: Instance,
		public draft: TriggerNode,
		readonly staticData: StoredWorkflow['staticData'],
	) {}

	/** The account whose API key a node uses now. */
	accountOf({ credential }: TriggerNode) {
		return this.world.sandbox.accounts[this.instance.credentials[credential]];
	}

	/** All subscriptions that point at the node: at its address whatever the query, or by a gateway. */
	pointingAt(listening: Listening, origins = [this.instance.address]): StoredWebhook[] {
		const { instanceId } = this.instance;
		const { webhookId } = this.draft;
		const addresses = origins.map((origin) => addressOf(webhookId, origin, listening));
		return this.world.sandbox.webhooks().filter(({ url }) => {
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

/** @throws Error saying what of the production subscription is not as it is known to be */
export function checkProduction(world: World, flow: Flow): void {
	const { instance, expectation, name } = flow;
	const node = flow.published ?? flow.draft;
	const { userId, apiKey } = flow.accountOf(node);
	const delivering = flow
		.pointingAt('production', instance.addresses)
		.filter(({ enabled, ownerId }) => enabled && (ownerId === userId || !flow.isTold));
	if (expectation === 'off')
		expectNone(delivering, `"${name}" is switched off, but delivered to by`);
	if (expectation !== 'on') return;
	const chosen = chosenOf(node);
	if (isMissing(world, userId, chosen)) {
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
		identityId: restrictionOf(world, chosen),
	});
	// Deliveries are judged by it: with another account's, others' mail would start the workflow, and its own would not.
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
 * Only in the account of now: where the credential changed while a test event was waited for, n8n itself
 * forgets the old one.
 *
 * @throws Error when listening for a test event is not just one subscription of its own, or left something
 */
export function checkListening(flow: Flow): void {
	const { instance, name } = flow;
	const { userId } = flow.accountOf(flow.draft);
	const all = flow.pointingAt('test', instance.addresses);
	const own = all.filter(({ ownerId }) => ownerId === userId);
	const unmarked = own.filter(({ description }) => !description?.startsWith('[Test]'));
	expectNone(unmarked, 'A test subscription is not marked as one:');
	if (instance.isListening(flow)) {
		if (!all.some(({ enabled }) => enabled)) throw new Error(`"${name}" listens to nothing`);
		expectNone(own.slice(1), `"${name}" listens more than once:`);
	} else if (!flow.mayHaveStrayTest) {
		expectNone(own, `"${name}" left test subscriptions behind:`);
	}
}

/** The identity that the node's parameters ask for; null for all. */
function chosenOf({ parameters }: TriggerNode): string | null {
	const locator = parameters.identityId as { value: string } | undefined;
	return parameters.receiveFor === 'one' ? (locator?.value ?? null) : null;
}

/** Whether an identity is chosen that the account has not, or not any more. */
function isMissing({ sandbox }: World, userId: string, chosen: string | null): boolean {
	const account = Object.values(sandbox.accounts).find((each) => each.userId === userId);
	return chosen !== null && !account?.identities.some(({ id }) => id === chosen);
}

/** What the node's subscription is restricted to: a domain is none. */
function restrictionOf({ identities }: World, chosen: string | null): string | null {
	return identities.some(({ id, kind }) => id === chosen && kind === 'domain') ? null : chosen;
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
