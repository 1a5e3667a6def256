import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { isSameAddress, pathOf } from '../../shared/urlEquality';
import { readOptions } from '../options';
import { deriveSecret, secretOfUrl, secretScope, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtGateway } from './gateway';

/** Which node of which n8n it is. Survives renaming. */
export interface NodeIdentity {
	instanceId: string;
	/** n8n builds the node's addresses on it. */
	webhookPath: string;
}

/** Where a node is reached. Does not change while n8n runs. */
export interface Endpoint extends NodeIdentity {
	/** n8n's address for the node, without the secret: the test address while it listens for a test event. */
	address: string;
	/** The gateway that production deliveries go to, and that hands them on to the address; empty for none. */
	deliveryUrl: string;
	/** How a person finds the node in n8n. */
	name: string;
}

/** What the node's subscriptions are recognised by. */
export interface Target extends Endpoint {
	/** Which only this node of this n8n, with this API key, can derive. */
	secrets: Record<Listening, string>;
	/** What this n8n stored of the node's subscription. */
	stored: StoredSubscription | undefined;
	/**
	 * Tells the test subscriptions of all nodes of this n8n with this API key by their secrets, which are
	 * derived from the paths in their URLs.
	 *
	 * @returns the node's webhook path, undefined for any other subscription
	 */
	testedNode(url: string): string | undefined;
}

/** The last part of n8n's addresses for this node type, see the node's description. */
const LAST_SEGMENT = 'webhook';

/** Reads which node a context is for. */
export function readNodeIdentity(context: IHookFunctions | ITriggerFunctions): NodeIdentity {
	const { instanceId, webhookPath } = secretScope(context, 'production');
	return { instanceId, webhookPath };
}

/** One text for one node of one n8n. */
export function nodeKey({ instanceId, webhookPath }: NodeIdentity): string {
	return `${instanceId} ${webhookPath}`;
}

/** Reads where n8n is to be delivered to. */
export function readEndpoint(context: IHookFunctions): Endpoint {
	const workflow = context.getWorkflow();
	return {
		address: context.getNodeWebhookUrl('default') ?? '',
		deliveryUrl: readOptions(context).deliveryUrl,
		...readNodeIdentity(context),
		name: `${workflow.name ?? workflow.id ?? ''} / ${context.getNode().name}`,
	};
}

/**
 * Works out what the node's subscriptions are recognised by.
 *
 * @param stored what static data hold, whoever's it is: they travel with copies of a workflow
 */
export function targetOf(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
): Target {
	const { instanceId, webhookPath } = endpoint;
	const secretOf = (path: string, listening: Listening) =>
		deriveSecret(apiKey, { instanceId, webhookPath: path, listening });
	const isOwn = stored?.instanceId === instanceId && leadsTo(stored.url, webhookPath);
	return {
		...endpoint,
		secrets: {
			production: secretOf(webhookPath, 'production'),
			test: secretOf(webhookPath, 'test'),
		},
		stored: isOwn ? stored : undefined,
		testedNode(url) {
			const [last, path] = pathOf(url).split('/').reverse();
			if (last !== LAST_SEGMENT || !path) return undefined;
			return secretOfUrl(url) === secretOf(path, 'test') ? path : undefined;
		},
	};
}

/** Whether a URL is, or was, one of n8n's addresses for the node: also under another host or prefix. */
export function leadsTo(url: string, webhookPath: string): boolean {
	return pathOf(url).includes(webhookPath);
}

/**
 * Whether a URL leads to where the node listens now, and to nobody else: at a gateway's address others may be, too.
 *
 * @param listening undefined when it can't be told; then only n8n's own address counts
 */
export function isAtAddress(
	url: string,
	endpoint: Endpoint,
	listening: Listening | undefined,
): boolean {
	if (isSameAddress(url, endpoint.address)) return true;
	return listening === 'production' && isAtGateway(url, endpoint) && carriesMark(url, endpoint);
}
