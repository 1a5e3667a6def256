import type { Resource } from '../operation';
import * as audit from './audit';
import * as get from './get';
import * as getAll from './getAll';

export const identity: Resource = {
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Audit',
				value: 'audit',
				description: 'Find out what is wrong with each address and domain',
				action: 'Audit all identities',
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get one address or domain',
				action: 'Get an identity',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get many addresses and domains',
				action: 'Get many identities',
			},
		],
		default: 'getAll',
	},
	operations: { audit, get, getAll },
};
