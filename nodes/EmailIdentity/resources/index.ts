import type { INodeProperties } from 'n8n-workflow';

import { concurrencyOptions } from './fields/concurrency';
import { identity } from './identity';
import { message } from './message';
import { fieldsOf, type Resource } from './operation';
import { user } from './user';
import { webhook } from './webhook';

/** The resources by their value in the Resource drop-down. */
export const resources: Record<string, Resource> = { identity, message, user, webhook };

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
	...Object.entries(resources).flatMap(([name, resource]) => fieldsOf(name, resource)),
	concurrencyOptions,
];
