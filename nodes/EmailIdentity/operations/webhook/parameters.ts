import {
	NodeOperationError,
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { isMaskedUrl } from '../../api/failures/redaction';
import {
	isDomainIdentity,
	type Identity,
	type WantedWebhook,
	type WebhookChanges,
} from '../../api/data/resources';
import { webhookUrlProblem } from '../../api/data/webhookUrl';
import {
	DEFAULT_EVENT,
	EVENT_NAMES,
	EVENT_OPTIONS,
	normalizeEventName,
} from '../../shared/webhooks';
import { readSwitch } from '../../shared/editor/fields';
import { nameOfChosen, receiveForLocator } from '../../shared/editor/locators';
import { readChosenIdentity } from '../chosenIdentity';
import type { Item } from '../operation';

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/hook',
	description: 'Public HTTPS URL that receives the events',
};

export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: EVENT_OPTIONS,
	default: [DEFAULT_EVENT],
	required: true,
	description: 'The events to send to the URL',
};

export const descriptionField: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Orders for the warehouse',
	description: 'A note to identify the webhook',
};

export const enabledField: INodeProperties = {
	displayName: 'Enabled',
	name: 'enabled',
	type: 'boolean',
	default: true,
	description: 'Whether events are delivered. If off, the webhook is paused.',
};

export const RECEIVERS: INodePropertyOptions[] = [
	{ name: 'All Identities', value: 'all' },
	{ name: 'One Identity', value: 'one' },
];

/** For an existing webhook. */
export const CHANGED_RECEIVERS: INodePropertyOptions[] = [
	{ name: 'Unchanged', value: 'unchanged' },
	...RECEIVERS,
];

/** @param receivers the choices, the default first */
export function receiveForFields(receivers: INodePropertyOptions[]): INodeProperties[] {
	const chosen = receivers[0]?.value;
	return [
		{
			displayName: 'Receive For',
			name: 'receiveFor',
			type: 'options',
			options: receivers,
			default: chosen,
			description: 'The identities whose events are sent to the URL',
		},
		receiveForLocator,
	];
}

/** @throws NodeOperationError when the service cannot deliver to the URL (contract, section 8) */
async function readUrl({ context, service }: Item, given: unknown): Promise<string> {
	const url = String(given ?? '').trim();
	if (isMaskedUrl(url)) {
		throw new NodeOperationError(context.getNode(), "The 'URL' is masked", {
			description:
				"The asterisks replace a secret. Enter the whole URL, or turn off 'Simplify' in the node that returned it.",
		});
	}
	const { allowPrivateWebhookUrls } = await service.credential();
	let problem = webhookUrlProblem(url, allowPrivateWebhookUrls);
	if (url === '') problem = 'is empty';
	if (problem === undefined) return url;
	throw new NodeOperationError(context.getNode(), `The 'URL' ${problem}`, {
		description:
			"The service delivers to public HTTPS URLs. If it runs on the same network as n8n, turn on 'Allow Private Webhook URLs' in the credential.",
	});
}

/** @param given a list, or one event as text from an expression */
function readEvents({ context }: Item, given: unknown): string[] {
	const names = new Set<string>();
	for (const one of [given].flat()) {
		const name = normalizeEventName(String(one ?? ''));
		if (name !== '') names.add(name);
	}
	const events = [...names];
	const unknown = events.filter((name) => !EVENT_NAMES.includes(name));
	if (events.length > 0 && unknown.length === 0) return events;
	let problem = 'No event is selected';
	if (unknown.length > 0) problem = `The API does not support the event ${unknown.join(', ')}`;
	throw new NodeOperationError(context.getNode(), problem, {
		description: `Choose at least one under 'Events' that the API supports: ${EVENT_NAMES.join(', ')}.`,
	});
}

/**
 * Reads the Receive For fields: an identity's ID, null for all identities, undefined for no change.
 *
 * @throws NodeOperationError for any other value, because a guess might remove a restriction, and for an identity that the
 * API key cannot access, because a service may accept it
 */
export async function readReceiveFor(
	item: Item,
	receivers: INodePropertyOptions[],
): Promise<string | null | undefined> {
	const { context, service, parameter } = item;
	const receiveFor = parameter('receiveFor');
	if (!receivers.some(({ value }) => value === receiveFor)) {
		const choices = receivers.map(({ value }) => value).join(', ');
		throw new NodeOperationError(context.getNode(), "Unknown value for 'Receive For'", {
			description: `Choose an option, or use an expression that returns one of these values: ${choices}.`,
		});
	}
	if (receiveFor === 'all') return null;
	if (receiveFor !== 'one') return undefined;

	const id = await readChosenIdentity(item, receiveForLocator);
	const name = nameOfChosen(parameter('identityId', ''));
	// Kept for all items, because each write discards the cached reads of the service.
	const look = await item.cache.once(`identity ${id}`, async () => {
		const { lookUpIdentity } = await import('../../shared/identityLookup');
		const found = await lookUpIdentity(service, id, name);
		if ('identity' in found) warnOfDomain(context, found.identity);
		return found;
	});
	if ('identity' in look) return id;
	const { message, description } = look.problem;
	throw new NodeOperationError(context.getNode(), message, { description });
}

function warnOfDomain(context: Item['context'], identity: Identity): void {
	if (!isDomainIdentity(identity)) return;
	const domain = identity.value ?? identity.id;
	// Missing in tools of an agent before n8n 1.118.
	context.addExecutionHints?.({
		message: `Some services never deliver to a webhook that is restricted to a domain (${domain}). Choose an address or All Identities.`,
		location: 'outputPane',
		type: 'warning',
	});
}

/** Reads the fields that are given. @throws NodeOperationError if one is not valid */
export async function readFields(item: Item, given: IDataObject): Promise<WebhookChanges> {
	const { url, events, enabled, description } = given;
	const fields: WebhookChanges = {};
	if (url !== undefined) fields.url = await readUrl(item, url);
	if (events !== undefined) fields.events = readEvents(item, events);
	if (enabled !== undefined) fields.enabled = readSwitch(item, 'Enabled', enabled);
	if (description !== undefined) fields.description = String(description ?? '');
	return fields;
}

/** Reads the fields of Create and of Create or Update. @throws NodeOperationError if one is not valid */
export async function readNewWebhook(item: Item): Promise<WantedWebhook> {
	const { parameter } = item;
	const { enabled, description } = parameter('additionalFields', {}) as IDataObject;
	const webhook: WantedWebhook = {
		url: await readUrl(item, parameter('url', '')),
		events: readEvents(item, parameter('events', [])),
	};
	if (enabled !== undefined) webhook.enabled = readSwitch(item, 'Enabled', enabled);
	if (description !== undefined) webhook.description = String(description ?? '');
	const identityId = await readReceiveFor(item, RECEIVERS);
	if (identityId) webhook.identityId = identityId;
	return webhook;
}
