import type { INodeProperties } from 'n8n-workflow';

import { concurrencyOptions } from './concurrency';
import * as identity from './identity';
import { SIMPLIFIED_FIELDS as IDENTITY_FIELDS } from './identity/simplified';
import * as message from './message';
import { SIMPLIFIED_FIELDS as MESSAGE_FIELDS } from './message/simplified';
import { simplifyField } from './simplify';
import { toolOutputFields } from './toolOutput';
import * as user from './user';
import * as webhook from './webhook';
import { SIMPLIFIED_FIELDS as WEBHOOK_FIELDS } from './webhook/simplified';

type Show = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;

/**
 * All fields of a resource, each shown only where it belongs.
 *
 * @param resource its value in the Resource drop-down
 * @param outputFields of its simplified output: a tool has them to choose from, in the place of Simplify
 */
function fieldsOf(
	resource: string,
	operationField: INodeProperties,
	descriptions: Record<string, INodeProperties[]>,
	outputFields: readonly string[] = [],
): INodeProperties[] {
	const shown = (field: INodeProperties, show: Show): INodeProperties => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
	});
	const forTools = toolOutputFields(outputFields);
	const withToolOutput = (field: INodeProperties): INodeProperties[] =>
		field.name === simplifyField.name ? [shown(field, { '@tool': [false] }), ...forTools] : [field];
	return [
		shown(operationField, { resource: [resource] }),
		...Object.entries(descriptions).flatMap(([operation, fields]) =>
			fields
				.flatMap(withToolOutput)
				.map((field) => shown(field, { resource: [resource], operation: [operation] })),
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
		options: [
			{ name: 'Identity', value: 'identity' },
			{ name: 'Message', value: 'message' },
			{ name: 'User', value: 'user' },
			{ name: 'Webhook', value: 'webhook' },
		],
		default: 'identity',
	},
	...fieldsOf('identity', identity.operationField, identity.descriptions, IDENTITY_FIELDS),
	...fieldsOf('message', message.operationField, message.descriptions, MESSAGE_FIELDS),
	...fieldsOf('user', user.operationField, user.descriptions),
	...fieldsOf('webhook', webhook.operationField, webhook.descriptions, WEBHOOK_FIELDS),
	concurrencyOptions,
];
