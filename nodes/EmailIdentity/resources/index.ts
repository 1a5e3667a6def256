import type { INodeProperties } from 'n8n-workflow';

import { auditIdentities } from './identity/audit';
import { getIdentity, IDENTITY_FIELDS } from './identity/get';
import { getManyIdentities } from './identity/getAll';
import { getMessage, MESSAGE_FIELDS } from './message/get';
import { concurrencyOptions, type Operation } from './operation';
import { simplifyField, toolOutputFields } from './simplify';
import { getUser } from './user/get';
import { createWebhook } from './webhook/create';
import { deleteWebhook } from './webhook/delete';
import { getWebhook } from './webhook/get';
import { getManyWebhooks } from './webhook/getAll';
import { WEBHOOK_FIELDS } from './webhook/output';
import { pauseWebhook, resumeWebhook } from './webhook/pauseResume';
import { updateWebhook } from './webhook/update';
import { upsertWebhook } from './webhook/upsert';

interface Resource {
	name: string;
	value: string;
	operations: Operation[];
	defaultOperation: Operation;
	/** Of the simplified output: a tool offers them in place of Simplify. */
	outputFields?: readonly string[];
}

/** Everything that the node can do, in the order of its menus. */
export const RESOURCES: Resource[] = [
	{
		name: 'Identity',
		value: 'identity',
		operations: [auditIdentities, getIdentity, getManyIdentities],
		defaultOperation: getManyIdentities,
		outputFields: IDENTITY_FIELDS,
	},
	{
		name: 'Message',
		value: 'message',
		operations: [getMessage],
		defaultOperation: getMessage,
		outputFields: MESSAGE_FIELDS,
	},
	{ name: 'User', value: 'user', operations: [getUser], defaultOperation: getUser },
	{
		name: 'Webhook',
		value: 'webhook',
		operations: [
			createWebhook,
			upsertWebhook,
			deleteWebhook,
			getWebhook,
			getManyWebhooks,
			pauseWebhook,
			resumeWebhook,
			updateWebhook,
		],
		defaultOperation: getManyWebhooks,
		outputFields: WEBHOOK_FIELDS,
	},
];

type Show = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;

const shownFor = (field: INodeProperties, show: Show): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
});

function fieldsOf({
	value: resource,
	operations,
	defaultOperation: { value: defaultValue },
	outputFields = [],
}: Resource): INodeProperties[] {
	const withToolOutput = (field: INodeProperties): INodeProperties[] =>
		field.name === simplifyField.name
			? [shownFor(field, { '@tool': [false] }), ...toolOutputFields(outputFields)]
			: [field];
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			options: operations.map(({ name, value, description, action }) => ({
				...{ name, value, description, action },
			})),
			default: defaultValue,
			displayOptions: { show: { resource: [resource] } },
		},
		...operations.flatMap(({ value: operation, fields }) =>
			fields
				.flatMap(withToolOutput)
				.map((field) => shownFor(field, { resource: [resource], operation: [operation] })),
		),
	];
}

/** Everything that the node shows: the Resource drop-down, each resource's fields, the node's options. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: RESOURCES.map(({ name, value }) => ({ name, value })),
		default: 'identity',
	},
	...RESOURCES.flatMap(fieldsOf),
	concurrencyOptions,
];
