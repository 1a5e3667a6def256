import type { Resource } from '../operation';
import * as get from './get';

export const user: Resource = {
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get the user that the API key belongs to',
				action: 'Get the current user',
			},
		],
		default: 'get',
	},
	operations: { get },
};
