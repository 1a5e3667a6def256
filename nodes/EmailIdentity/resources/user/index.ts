import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toUser } from '../../api/resources';
import type { DescriptionsOf, Operations, Session } from '../operation';

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
			description: 'Get the user that the API key belongs to',
			action: 'Get current user',
		},
	],
	default: 'get',
};

/** The user that the API key belongs to (contract, `GET /me`). */
async function get({ service }: Session): Promise<IDataObject[]> {
	return [{ ...toUser(await service.getUser()) }];
}

/** What is done, by the value in the drop-down. */
export const operations = { get } satisfies Operations;

/** The fields below the drop-down, for each of its values. */
export const descriptions: DescriptionsOf<typeof operations> = { get: [] };
