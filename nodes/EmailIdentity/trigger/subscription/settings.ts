import { NodeOperationError, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';
import { readUuid } from '../../api/identifiers';
import { DEFAULT_EVENT } from '../../shared/events';
import type { Retirement } from './decide';

/** What the node's parameters say about the subscription. */
export interface SubscriptionSettings {
	events: string[];
	/** Null for all identities. */
	identityId: string | null;
	/** Minutes between two checks while the workflow is active; 0 for none. */
	checkEvery: number;
}

type Context = IHookFunctions | ITriggerFunctions;

interface Options {
	checkEvery?: number;
	onDeactivation?: Retirement;
}

const CHECK_EVERY = 15;

/**
 * Reads the node's parameters, see `../parameters.ts` for their names and defaults.
 *
 * @throws NodeOperationError when an identity is asked for and none is chosen
 */
export function readSettings(context: Context): SubscriptionSettings {
	const { checkEvery } = readOptions(context);
	return {
		events: [context.getNodeParameter('event', DEFAULT_EVENT) as string],
		identityId: readIdentityId(context),
		checkEvery: checkEvery === undefined ? CHECK_EVERY : Math.max(0, checkEvery),
	};
}

/** What switching the workflow off does to the subscription. */
export function readRetirement(context: Context): Retirement {
	return readOptions(context).onDeactivation ?? 'pause';
}

function readOptions(context: Context): Options {
	return context.getNodeParameter('options', {}) as Options;
}

function readIdentityId(context: Context): string | null {
	if (context.getNodeParameter('receiveFor', 'all') === 'all') return null;
	const chosen = context.getNodeParameter('identityId', '', { extractValue: true });
	const identityId = readUuid(chosen);
	if (identityId !== undefined) return identityId;
	throw new NodeOperationError(
		context.getNode(),
		chosen === ''
			? 'No identity is chosen. Choose one under Identity, or set Receive For to All Identities.'
			: 'What was entered under Identity is not the ID of an identity. Choose one from the list.',
	);
}
