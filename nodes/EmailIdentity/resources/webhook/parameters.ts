import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { isMaskedUrl } from '../../api/redaction';
import type { NewWebhook, WebhookChanges } from '../../api/types';
import { webhookUrlProblem } from '../../api/webhookUrl';
import {
	DEFAULT_EVENT,
	EVENT_NAMES,
	EVENT_OPTIONS,
	normalizeEventName,
	type EventName,
} from '../../shared/events';
import { nameOfChosen, readIdentityId, receiveForIdentity } from '../../shared/locators';
import { readSwitch } from '../../shared/switches';
import type { Session } from '../operation';

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/hook',
	description: 'Public HTTPS address that receives the events',
};

export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: EVENT_OPTIONS,
	default: [DEFAULT_EVENT],
	required: true,
	description: 'What the webhook is told about',
};

export const descriptionField: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Orders for the warehouse',
	description: 'What the webhook is for, so that a person can tell it from others',
};

export const enabledField: INodeProperties = {
	displayName: 'Enabled',
	name: 'enabled',
	type: 'boolean',
	default: true,
	description: 'Whether events are delivered, or the webhook is paused',
};

const ALL_IDENTITIES = { name: 'All Identities', value: 'all' };
const ONE_IDENTITY = { name: 'One Identity', value: 'one' };

/** What Receive For offers for a new webhook. */
const NEW_RECEIVERS: INodePropertyOptions[] = [ALL_IDENTITIES, ONE_IDENTITY];

/** The same for a webhook that exists. */
export const CHANGED_RECEIVERS: INodePropertyOptions[] = [
	...NEW_RECEIVERS,
	{ name: 'Unchanged', value: 'unchanged' },
];

/** Which identities a new webhook is told about. */
export const receiveForField: INodeProperties = {
	displayName: 'Receive For',
	name: 'receiveFor',
	type: 'options',
	options: NEW_RECEIVERS,
	default: 'all',
	description: 'Whose events the webhook is told about',
};

/** The same for a webhook that exists. */
export const changeReceiveForField: INodeProperties = {
	displayName: 'Receive For',
	name: 'receiveFor',
	type: 'options',
	options: CHANGED_RECEIVERS,
	default: 'unchanged',
	description: 'Whose events the webhook is told about',
};

/** Shown once a single identity is asked for. */
export const chosenIdentityField = receiveForIdentity('The address or domain to use');

/**
 * Reads and checks an address that events are to be sent to (contract, section 8).
 *
 * @param given what the user entered; blanks around it are forgiven
 * @throws NodeOperationError when nothing can be delivered there
 */
async function readUrl(
	{ context, service }: Session,
	given: unknown,
	itemIndex: number,
): Promise<string> {
	const url = String(given ?? '').trim();
	if (isMaskedUrl(url)) {
		throw new NodeOperationError(context.getNode(), 'The URL is masked', {
			itemIndex,
			description:
				'The stars stand for a secret. Enter the whole URL, or switch Simplify off in the node that this one comes from.',
		});
	}
	const { allowPrivateWebhookUrls } = await service.credential();
	const problem = url === '' ? 'is empty' : webhookUrlProblem(url, allowPrivateWebhookUrls);
	if (problem === undefined) return url;
	throw new NodeOperationError(context.getNode(), `The URL ${problem}`, {
		itemIndex,
		description:
			'The service delivers to public HTTPS addresses. If it runs on the same network as n8n, turn on Allow Private Webhook URLs in the credential.',
	});
}

/**
 * Checks the events that a subscription is to have.
 *
 * @param given a list, or one event as text, as expressions may give it
 * @throws NodeOperationError when there is none or the API does not support one of them
 */
function readEvents(context: IExecuteFunctions, given: unknown, itemIndex: number): EventName[] {
	const names = [given].flat().map((name) => normalizeEventName(String(name ?? '')));
	const events = [...new Set(names.filter((name) => name !== ''))];
	const supported = EVENT_NAMES.join(', ');
	if (events.length === 0) {
		throw new NodeOperationError(context.getNode(), 'No event was chosen', {
			itemIndex,
			description: `Choose at least one event. The API supports ${supported}.`,
		});
	}
	const unknown = events.filter((name) => !EVENT_NAMES.some((event) => event === name));
	if (unknown.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The API does not support the event ${unknown.join(', ')}`,
			{ itemIndex, description: `Choose from the events that it supports: ${supported}.` },
		);
	}
	return EVENT_NAMES.filter((event) => events.includes(event));
}

/**
 * What the Receive For fields ask for: an identity's ID, null for all identities, undefined for no change.
 *
 * @param offered what can be chosen in the editor; an expression may give anything
 * @throws NodeOperationError when nothing of that is asked for: whatever it were taken for might lift a restriction; and
 * when there is no such identity for the API key: a service may take it all the same
 */
export async function readReceiveFor(
	{ context, identities }: Session,
	itemIndex: number,
	offered: INodePropertyOptions[],
): Promise<string | null | undefined> {
	const receiveFor = context.getNodeParameter('receiveFor', itemIndex);
	if (!offered.some(({ value }) => value === receiveFor)) {
		const choices = offered.map(({ name, value }) => `${value} (${name})`).join(', ');
		throw new NodeOperationError(context.getNode(), 'Receive For is set to none of its choices', {
			itemIndex,
			description: `Choose one, or let its expression give one of these words: ${choices}.`,
		});
	}
	if (receiveFor !== 'one') return receiveFor === 'all' ? null : undefined;
	const id = readIdentityId(context, itemIndex);
	const name = nameOfChosen(context.getNodeParameter('identityId', itemIndex, ''));
	const look = await identities.lookUp(id, name);
	if ('identity' in look) return id;
	const { message, description } = look.refusal;
	throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

/** How each field of a collection is read; what is not in the collection is left alone. */
const OPTIONAL_FIELDS: Record<
	string,
	(session: Session, value: unknown, itemIndex: number) => unknown
> = {
	url: async (session, value, itemIndex) => await readUrl(session, value, itemIndex),
	events: ({ context }, value, itemIndex) => readEvents(context, value, itemIndex),
	enabled: ({ context }, value, itemIndex) =>
		readSwitch(context.getNode(), 'Enabled', value, itemIndex),
	description: (_session, value) => String(value ?? ''),
};

/**
 * Reads the optional fields of a subscription: only those that the user added.
 *
 * @param given the value of the collection that they are in
 * @throws NodeOperationError when one of them cannot be used
 */
export async function readOptionalFields(
	session: Session,
	given: IDataObject,
	itemIndex: number,
): Promise<WebhookChanges> {
	const changes: Record<string, unknown> = {};
	for (const [field, read] of Object.entries(OPTIONAL_FIELDS)) {
		const value = given[field];
		if (value !== undefined) changes[field] = await read(session, value, itemIndex);
	}
	return changes;
}

/** What the fields of Create, and of Create or Update, describe, except the owner. */
export async function readNewWebhook(
	session: Session,
	itemIndex: number,
): Promise<Omit<NewWebhook, 'ownerId'>> {
	const { context } = session;
	const additionalFields = context.getNodeParameter('additionalFields', itemIndex, {});
	const url = await readUrl(session, context.getNodeParameter('url', itemIndex, ''), itemIndex);
	const events = readEvents(context, context.getNodeParameter('events', itemIndex, []), itemIndex);
	const identityId = await readReceiveFor(session, itemIndex, NEW_RECEIVERS);
	return {
		...{ url, events },
		...(typeof identityId === 'string' ? { identityId } : {}),
		...((await readOptionalFields(session, additionalFields as IDataObject, itemIndex)) as Pick<
			NewWebhook,
			'enabled' | 'description'
		>),
	};
}
