import { parseUrl } from '../../lib/hosts';
import { withFullStop } from '../../lib/text';
import type { WebhookField } from '../../shared/webhookDiff';
import type { Listening } from '../secret';
import type { StoredSubscription } from '../staticData';
import { markOf, NODE_PARAMETER, type Endpoint } from './address';
import type { Action } from './plan';

/** Addresses are named without the secret. */
const subject = ({ name }: Pick<Endpoint, 'name'>) => `Email Identity Trigger "${name}"`;

/** The lines of n8n's log. None holds a secret. */
export const logMessages = {
	repaired: (endpoint: Endpoint, id: string | undefined, done: readonly Action[]) =>
		`${subject(endpoint)}: repaired the webhook subscription ${id ?? ''} (${describe(done)}).`,

	noEffect: (endpoint: Endpoint, undone: readonly Action[]) =>
		`${subject(endpoint)}: repaired the webhook subscription (${describe(undone)}), but the service ` +
		'still shows the old state. No further attempt is made: check it in the service, then publish the ' +
		'workflow again.',

	unchecked: (endpoint: Endpoint, reason: string) =>
		`${subject(endpoint)}: the webhook subscription could not be checked; the workflow stays active. ${reason}`,

	stillOn: (endpoint: Endpoint, reason: string) =>
		`${subject(endpoint)}: the webhook subscription could not be switched off, so the service may go on ` +
		`sending to ${endpoint.deliveryUrl === '' ? endpoint.address : 'the Delivery URL'}, which n8n refuses. ` +
		`The next activation repairs it; until then it can be paused in the service. ${reason}`,

	unlisted: (endpoint: Endpoint, reason: string) =>
		`${subject(endpoint)}: the webhook subscription was switched off. The service could not list the others, ` +
		`so one of this node may be left. ${reason}`,

	formerAccount: (endpoint: Endpoint, { id, ownerId }: StoredSubscription) =>
		`${subject(endpoint)}: the credential belongs to another account now. The webhook subscription ${id} ` +
		`of the former account${ownerId === '' ? '' : ` (user ${ownerId})`} can no longer be switched off from here: delete it there.`,

	handsOn: ({ deliveryUrl, address, ...endpoint }: Endpoint) =>
		`${subject(endpoint)}: the service delivers to the Delivery URL at ${originOf(deliveryUrl)}. The gateway there has to ` +
		`hand on each delivery, with its query, to ${address}`,

	sharedGateway: (endpoint: Endpoint, ids: readonly string[]) =>
		`${subject(endpoint)}: the webhook subscriptions ${ids.join(', ')} deliver to its Delivery URL, too. A gateway sends ` +
		'all deliveries of one address to one place, and n8n refuses those for another node with 401: give each trigger an ' +
		`address of its own in the gateway, or let it choose by the parameter ${NODE_PARAMETER}.`,

	identityGone: (endpoint: Endpoint, reason: string) =>
		`${subject(endpoint)}: the webhook subscription is paused, and its deliveries are refused. ${reason} ` +
		'The subscription resumes by itself when the service shows the identity again; a new identity has to be ' +
		'chosen again.',

	refused: (endpoint: Endpoint, refused: ReadonlyArray<{ id: string }>) =>
		`${subject(endpoint)}: the webhook subscriptions ${refused.map(({ id }) => id).join(', ')} point at this node too, but belong ` +
		'to another account. Their deliveries are refused; delete them there.',
};

/** `services/url.service.js` of n8n 2.x: WEBHOOK_URL does not count there. */
const ADDRESS_FOR_TESTS =
	' Where only WEBHOOK_URL is set, n8n 2 gives test events the address of the editor (N8N_EDITOR_BASE_URL) all the same.';

const NO_GATEWAY_FOR_TESTS =
	" Test events come to n8n's own address, not through the Delivery URL: publish the workflow and look at its " +
	'executions, or use the option Use Sample Email.';

/** Why the workflow can't be activated, beyond the words of `api/`. */
export const refusals = {
	address: ({ address, deliveryUrl }: Endpoint, problem: string, listening: Listening) =>
		`The service cannot deliver to this n8n: its address ${originOf(address)} ${problem}. ` +
		'Set the environment variable N8N_WEBHOOK_URL of n8n (in an older n8n: WEBHOOK_URL) to its public https:// address, ' +
		'or switch on Allow Private Webhook URLs in the credential if the service is on the same network.' +
		(listening === 'test' ? ADDRESS_FOR_TESTS : '') +
		(listening === 'test' && deliveryUrl !== '' ? NO_GATEWAY_FOR_TESTS : ''),

	deliveryUrl: (problem: string, isPrivate: boolean) =>
		`The Delivery URL ${problem}. Enter the public https:// address of the gateway, or remove the option` +
		(isPrivate
			? '; switch on Allow Private Webhook URLs in the credential if the gateway is on the same network as the service.'
			: '.'),

	reservedParameter: (name: string) =>
		`The Delivery URL has a parameter named ${name}, which the subscription needs for itself. Use an address of the ` +
		'gateway without it.',

	foreignIdentity:
		'The API key has no access to the identity that is chosen under Identity. Choose an identity of its own ' +
		'account, or use the API key of the account that owns it.',

	cannotVerify:
		'This service cannot give single messages, so Verify With the API would refuse every email. ' +
		'Switch Verify With the API off in the options of the Email Identity Trigger.',

	cannotCreate: (endpoint: Endpoint, events: readonly string[]) =>
		'The service could not create the webhook through its API. If it never can, create one in the ' +
		`service's own page, with ${urlByHand(endpoint)} and the event ${events.join(', ')}: once the workflow is ` +
		'published again, this node takes it over and sets the rest.',

	cannotListen:
		'The service could not create the webhook through its API. If it never can, it has no test events, ' +
		'which need a webhook of their own: publish the workflow, and look at its executions.',

	secretNotKept:
		'The service does not keep the secret in the webhook URL, so n8n would refuse all its deliveries: ' +
		'ask the operator of the service to keep the query of webhook URLs as it is given',

	addressNotKept:
		'The service does not keep the webhook URL as it is given, so its deliveries would not reach this node: ' +
		'ask the operator of the service to keep webhook URLs as they are',

	creationAwaited:
		'The answer to its creation was lost, and the service does not show it yet. It is created again if ' +
		'it does not show up for a while',
};

const REPAIRED: Record<WebhookField, string> = {
	url: 'address corrected',
	enabled: 'resumed',
	events: 'events corrected',
	identityId: 'identity corrected',
	description: 'description corrected',
};

/** For a person to enter in the service. A Delivery URL may hold a secret of the gateway's, so it is not repeated. */
function urlByHand(endpoint: Endpoint): string {
	return endpoint.deliveryUrl === ''
		? `the URL ${endpoint.address}`
		: `the Delivery URL, with ${NODE_PARAMETER}=${markOf(endpoint)} added to its query,`;
}

/** The part that the operator of n8n sets; the path is n8n's own. */
function originOf(address: string): string {
	return parseUrl(address)?.origin ?? address;
}

function describe(actions: readonly Action[]): string {
	return actions.map(describeOne).join(', ');
}

function describeOne(action: Action): string {
	if (action.kind === 'create') return 'created again';
	if (action.kind === 'delete') return 'a duplicate removed';
	return (Object.keys(REPAIRED) as WebhookField[])
		.filter((field) => field in action.changes)
		.map((field) => REPAIRED[field])
		.join(', ');
}

/**
 * n8n 1.x gives up on a workflow at its start for good when the message of a failure contains this word,
 * and shows a failure's description instead of its message (`active-workflow-manager.js`,
 * `workflow.service.js`). So everything is said in the message, without the word.
 */
const GIVES_UP_ON = /authorization/gi;

/** A service can make a sentence longer than is good for a log. */
const MAX_SENTENCE_LENGTH = 5000;

/**
 * Says in one line what happened and what to do.
 *
 * @param error what was caught
 * @returns never the API key, the secret or mail: the errors of `api/` carry none
 */
export function explain(error: unknown): string {
	const { message = error, description } = Object(error) as Record<string, unknown>;
	return [message, description]
		.filter((part) => !!part)
		.map((sentence) => withFullStop(String(sentence).slice(0, MAX_SENTENCE_LENGTH)))
		.join(' ')
		.replace(/\s+/g, ' ')
		.replace(GIVES_UP_ON, 'permission');
}
