import type { INodeProperties } from 'n8n-workflow';

import { identityLocator } from '../fields/identityLocator';
import { EVENT_OPTIONS } from './events';

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
	default: ['message.received'],
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

/** Which identities a new webhook is told about. */
export const receiveForField: INodeProperties = {
	displayName: 'Receive For',
	name: 'receiveFor',
	type: 'options',
	options: [ALL_IDENTITIES, ONE_IDENTITY],
	default: 'all',
	description: 'Whose events the webhook is told about',
};

/** The same for a webhook that exists. */
export const changeReceiveForField: INodeProperties = {
	displayName: 'Receive For',
	name: 'receiveFor',
	type: 'options',
	options: [ALL_IDENTITIES, ONE_IDENTITY, { name: 'Unchanged', value: 'unchanged' }],
	default: 'unchanged',
	description: 'Whose events the webhook is told about',
};

/** Shown once a single identity is asked for. */
export const chosenIdentityField: INodeProperties = {
	...identityLocator,
	displayOptions: { show: { receiveFor: ['one'] } },
};

/** The fields of a collection, in which nothing has to be filled in. */
export const asOptional = (fields: INodeProperties[]): INodeProperties[] =>
	fields.map((field) => ({ ...field, required: undefined }));
