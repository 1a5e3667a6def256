import type { Resource } from '../operation';
import * as get from './get';

export const message: Resource = {
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get one email by the ID that its delivery gave',
				action: 'Get a message',
			},
		],
		default: 'get',
	},
	operations: { get },
};
