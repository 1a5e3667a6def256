import type { INodeProperties } from 'n8n-workflow';

import { concurrencyOptions } from './concurrency';
import * as identity from './identity';
import * as message from './message';
import * as user from './user';
import * as webhook from './webhook';

/**
 * All fields of a resource, each shown only where it belongs.
 *
 * @param resource its value in the Resource drop-down
 */
function fieldsOf(
	resource: string,
	operationField: INodeProperties,
	descriptions: Record<string, INodeProperties[]>,
): INodeProperties[] {
	const shown = (field: INodeProperties, show: Record<string, string[]>): INodeProperties => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
	});
	return [
		shown(operationField, { resource: [resource] }),
		...Object.entries(descriptions).flatMap(([operation, fields]) =>
			fields.map((field) => shown(field, { resource: [resource], operation: [operation] })),
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
	...fieldsOf('identity', identity.operationField, identity.descriptions),
	...fieldsOf('message', message.operationField, message.descriptions),
	...fieldsOf('user', user.operationField, user.descriptions),
	...fieldsOf('webhook', webhook.operationField, webhook.descriptions),
	concurrencyOptions,
];
