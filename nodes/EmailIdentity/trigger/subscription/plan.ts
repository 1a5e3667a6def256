import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { deriveSecret, digestSecret, secretScope, withSecret, type Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import type { Wanted } from './decide';
import { ownNote } from './note';
import type { Marks } from './recognise';
import type { SubscriptionParameters } from '../parameters';

/** Which node of which n8n it is. Survives renaming. */
export interface NodeIdentity {
	instanceId: string;
	/** n8n builds the node's addresses on it. */
	webhookPath: string;
}

/** Where a node is reached, and as what. Does not change while n8n runs. */
export interface Place extends NodeIdentity {
	/** n8n's address for the node, without the secret. */
	address: string;
	/** How a person finds the node in n8n. */
	name: string;
}

/** Everything about one subscription, as far as it can be said without asking the service. */
export interface Plan {
	wanted: Wanted;
	marks: Marks;
	secretDigest: string;
	/** What this n8n stored for this address earlier. */
	stored?: StoredSubscription;
}

/** The service keeps descriptions as free text; a longer one might come back cut, and so look edited. */
const LONGEST_NAME = 160;

/** Reads which node a context is for. */
export function identityOf(context: IHookFunctions | ITriggerFunctions): NodeIdentity {
	const { instanceId, webhookPath } = secretScope(context, 'production');
	return { instanceId, webhookPath };
}

/** One text for one node of one n8n. */
export function nodeKey({ instanceId, webhookPath }: NodeIdentity): string {
	return `${instanceId} ${webhookPath}`;
}

/** Reads where n8n is to be delivered to: the test address while it listens for a test event. */
export function placeOf(context: IHookFunctions): Place {
	const workflow = context.getWorkflow();
	return {
		address: context.getNodeWebhookUrl('default') ?? '',
		...identityOf(context),
		name: `${workflow.name ?? workflow.id ?? ''} / ${context.getNode().name}`,
	};
}

/**
 * Works out what the subscription has to look like and how it is recognised.
 *
 * @param stored the note in static data, whoever's it is
 */
export function makePlan(
	place: Place,
	listening: Listening,
	apiKey: string,
	settings: Pick<SubscriptionParameters, 'events' | 'identityId'>,
	stored: StoredSubscription | undefined,
): Plan {
	const { address, instanceId, webhookPath } = place;
	const secretFor = (way: Listening) =>
		deriveSecret(apiKey, { instanceId, webhookPath, listening: way });
	const secret = secretFor(listening);
	const note = ownNote(stored, place);
	const own = note?.listening === listening ? note : undefined;
	const name = place.name.slice(0, LONGEST_NAME);
	return {
		wanted: {
			url: withSecret(address, secret),
			events: settings.events,
			identityId: settings.identityId,
			description: listening === 'test' ? `[Test] n8n: ${name}` : `n8n: ${name}`,
		},
		marks: {
			address,
			webhookPath,
			secret,
			otherSecret: secretFor(listening === 'test' ? 'production' : 'test'),
			storedId: own?.id,
			storedDigest: own?.secretDigest,
		},
		secretDigest: digestSecret(secret),
		stored: own,
	};
}
