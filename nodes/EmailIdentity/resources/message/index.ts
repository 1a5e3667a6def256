import type { INodeProperties } from 'n8n-workflow';

import type { DescriptionsOf, Operations } from '../operation';
import * as get from './get';

/** The Operation drop-down itself. */
export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Get',
			value: 'get',
			description: 'Get one email by the ID that its delivery gave',
			action: 'Get message',
		},
	],
	default: 'get',
};

/** What is done, by the value in the drop-down. */
export const operations = {
	get: get.execute,
} satisfies Operations;

/** The fields below the drop-down, for each of its values. */
export const descriptions: DescriptionsOf<typeof operations> = {
	get: get.description,
};
