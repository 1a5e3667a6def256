import {
	deriveSecret,
	withSecret,
	type Listening,
} from '../../../../nodes/EmailIdentity/shared/secret';
import {
	carriesMark,
	subscriptionUrl,
	type Endpoint,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import type { StoredWebhook } from '../../../../sandbox';
import type { Instance } from './instance';
import type { StoredWorkflow, TriggerNode, World } from './world';

/**
 * What is known of a workflow's production subscription:
 * `on` exactly one, right and enabled; `off` none enabled; `open` n8n said that it could not be done, n8n
 * died over it, or someone interfered since.
 */
export type Expectation = 'on' | 'off' | 'open';

/** A workflow, where it is, and what is known of its subscription. */
export interface Situated {
	workflow: StoredWorkflow;
	instance: Instance;
	expectation: Expectation;
	/** IDs of all subscriptions that were ever its own. */
	own: Set<string>;
	/**
	 * IDs of those that were made by hand. Until the node has seen one, nothing but its address tells whose it is: one
	 * at an address that n8n had before is nobody's.
	 */
	handMade: Set<string>;
	/** What the workflow was ever called: n8n 2.x does not tell an active node that its workflow was renamed. */
	names: Set<string>;
	/** Accounts (user IDs) in which the user was told to look after what is left. */
	told: Set<string>;
	/** Whether a test event was waited for when n8n died, or was forgotten by n8n 1.x. */
	mayHaveStrayTest: boolean;
	/**
	 * Whether the API key was changed while there was a test subscription: if n8n then dies before it ends the
	 * listening, nothing tells any more whose it was but its mark.
	 */
	mayHaveFormerTest: boolean;
}

const PATHS: Record<Listening, string> = { production: 'webhook', test: 'webhook-test' };

/** n8n's address for the node, as it is now or as it was. */
export function addressOf(node: TriggerNode, origin: string, listening: Listening): string {
	return `${origin}/${PATHS[listening]}/${node.webhookId}/webhook`;
}

/** What a person makes by hand, as the error of a service that cannot create any says. */
export function handMadeUrl(node: TriggerNode, instance: Instance): string {
	return subscriptionUrl(endpointOf(node, instance), '').replace(/.token=$/, '');
}

function endpointOf(node: TriggerNode, { instanceId, address }: Instance): Endpoint {
	const { deliveryUrl = '' } = (node.parameters.advanced ?? {}) as { deliveryUrl?: string };
	return {
		instanceId,
		webhookPath: node.webhookId,
		listening: 'production',
		address: addressOf(node, address, 'production'),
		deliveryUrl: deliveryUrl.trim(),
		name: node.name,
	};
}

/** All subscriptions that point at the node, now and formerly: at its address whatever the query, or by a gateway. */
export function pointingAt(
	{ sandbox }: World,
	{ workflow, instance }: Situated,
	listening: Listening,
	origins: readonly string[] = [instance.address],
): StoredWebhook[] {
	const addresses = origins.map((origin) => addressOf(workflow.draft, origin, listening));
	const isForNode = (url: string) =>
		listening === 'production' && carriesMark(url, endpointOf(workflow.draft, instance));
	return sandbox
		.webhooks()
		.filter(({ url }) => addresses.includes(url.replace(/\?.*$/, '')) || isForNode(url));
}

/** The user whose API key the node uses now. */
export function accountOf({ sandbox }: World, instance: Instance, node: TriggerNode) {
	return sandbox.accounts[instance.credentials[node.credential]];
}

/** @throws Error saying what is not as it is known to be */
export function checkExpectation(world: World, situated: Situated): void {
	const { workflow, instance, expectation } = situated;
	const node = workflow.published ?? workflow.draft;
	const { userId, apiKey } = accountOf(world, instance, node);
	const ever = pointingAt(world, situated, 'production', instance.addresses);
	const delivering = ever.filter(
		({ id, url, enabled, ownerId }) =>
			enabled &&
			(ownerId === userId || !situated.told.has(ownerId)) &&
			!(situated.handMade.has(id) && isUnseen(url, node, instance)),
	);
	if (expectation === 'off')
		expectNone(delivering, 'is switched off, but delivered to by', workflow);
	if (expectation !== 'on') return;
	const chosen = chosenOf(node);
	if (isMissing(world, userId, chosen)) {
		const widened = delivering.filter(({ identityId }) => identityId !== chosen);
		return expectNone(
			widened,
			'is to receive for an identity that is gone, and receives by',
			workflow,
		);
	}
	const here = pointingAt(world, situated, 'production').filter(
		({ ownerId }) => ownerId === userId,
	);
	const [only, ...surplus] = here;
	expectNone(surplus, 'has more than one subscription:', workflow, here);
	if (!only) throw new Error(`"${workflow.name}" is active, but has no subscription`);
	const others = delivering.filter(({ id }) => id !== only.id);
	expectNone(others, 'is also delivered to by', workflow);
	const { instanceId } = instance;
	const scope = { instanceId, webhookPath: node.webhookId, listening: 'production' as const };
	expectFields(workflow, only, {
		enabled: true,
		url: withSecret(handMadeUrl(node, instance), deriveSecret(apiKey, scope)),
		events: ['message.received'],
		identityId: restrictionOf(world, node),
	});
	checkStoredAccount(workflow, node, only);
}

/** Deliveries are judged by it: with another account's, others' mail would start the workflow, and its own would not. */
function checkStoredAccount(
	workflow: StoredWorkflow,
	{ name }: TriggerNode,
	webhook: StoredWebhook,
): void {
	const stored = workflow.staticData[name]?.subscription as Partial<StoredSubscription> | undefined;
	if (stored?.id !== webhook.id || !stored.ownerId) return;
	const { ownerId, workspaceId } = stored;
	expectFields(workflow, webhook, { ownerId, ...(workspaceId && { workspaceId }) });
}

/**
 * Only in the account of now: where the credential changed while a test event was waited for, n8n itself
 * forgets the old one.
 *
 * @throws Error when listening for a test event is not just one subscription of its own, or left something
 */
export function checkListening(world: World, situated: Situated): void {
	const { workflow, instance } = situated;
	const mayHaveOne = situated.mayHaveStrayTest || situated.mayHaveFormerTest;
	const { userId } = accountOf(world, instance, workflow.draft);
	const all = pointingAt(world, situated, 'test', instance.addresses);
	const own = all.filter(({ ownerId }) => ownerId === userId);
	const isUnmarked = own.some(({ description }) => !description?.startsWith('[Test]'));
	if (isUnmarked) throw new Error(`A test subscription is not marked as one: ${list(own)}`);
	if (instance.isListening(workflow)) {
		const enabled = all.filter((webhook) => webhook.enabled);
		if (enabled.length === 0) throw new Error(`"${workflow.name}" listens to nothing`);
		expectNone(own.slice(1), 'listens more than once:', workflow);
	} else if (!mayHaveOne) {
		expectNone(own, 'left test subscriptions behind:', workflow);
	}
}

/** The identity that the node's parameters ask for; null for all. */
export function chosenOf({ parameters }: TriggerNode): string | null {
	const locator = parameters.identityId as { value: string } | undefined;
	return parameters.receiveFor === 'one' ? (locator?.value ?? null) : null;
}

function isUnseen(url: string, node: TriggerNode, instance: Instance): boolean {
	const [present] = handMadeUrl(node, instance).split('?', 1);
	const isHere = url.startsWith(`${instance.address}/`) || url.split('?', 1)[0] === present;
	return !url.includes('token=') && !isHere;
}

/** Whether an identity is chosen that the account has not, or not any more. */
function isMissing({ sandbox }: World, userId: string, chosen: string | null): boolean {
	const account = Object.values(sandbox.accounts).find((each) => each.userId === userId);
	return chosen !== null && !account?.identities.some(({ id }) => id === chosen);
}

/** What the node's subscription is restricted to: a domain is none. */
function restrictionOf({ sandbox }: World, node: TriggerNode): string | null {
	const chosen = chosenOf(node);
	const all = Object.values(sandbox.accounts).flatMap(({ identities }) => identities);
	return all.some(({ id, kind }) => id === chosen && kind === 'domain') ? null : chosen;
}

function expectNone(
	webhooks: readonly StoredWebhook[],
	problem: string,
	workflow: StoredWorkflow,
	shown = webhooks,
): void {
	if (webhooks.length > 0) throw new Error(`"${workflow.name}" ${problem} ${list(shown)}`);
}

function expectFields(
	workflow: StoredWorkflow,
	webhook: StoredWebhook,
	wanted: Partial<StoredWebhook>,
): void {
	for (const [field, value] of Object.entries(wanted)) {
		const found = JSON.stringify(webhook[field as keyof StoredWebhook]);
		if (found !== JSON.stringify(value)) {
			throw new Error(`"${workflow.name}" has ${field} ${found}, not ${JSON.stringify(value)}`);
		}
	}
}

function list(webhooks: readonly StoredWebhook[]): string {
	return webhooks.map((webhook) => JSON.stringify(webhook)).join('\n  ') || 'none';
}
