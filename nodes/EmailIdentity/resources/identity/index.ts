import type { INodeProperties } from 'n8n-workflow';

import type { DescriptionsOf, Operations } from '../operation';
import * as audit from './audit';
import * as get from './get';
import * as getAll from './getAll';

/** The Operation drop-down itself. */
export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Audit',
			value: 'audit',
			description: 'Find out what is wrong with each address and domain',
			action: 'Audit identities',
		},
		{
			name: 'Get',
			value: 'get',
			description: 'Get one address or domain',
			action: 'Get identity',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			description: 'Get many addresses and domains',
			action: 'Get many identities',
		},
	],
	default: 'getAll',
};

/** What is done, by the value in the drop-down. */
export const operations = {
	audit: audit.execute,
	get: get.execute,
	getAll: getAll.execute,
} satisfies Operations;

/** The fields below the drop-down, for each of its values. */
export const descriptions: DescriptionsOf<typeof operations> = {
	audit: audit.description,
	get: get.description,
	getAll: getAll.description,
};
