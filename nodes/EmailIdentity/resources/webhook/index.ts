import type { INodeProperties } from 'n8n-workflow';

import type { DescriptionsOf, Operations } from '../operation';
import * as create from './create';
import * as deletion from './delete';
import * as get from './get';
import * as getAll from './getAll';
import * as pauseResume from './pauseResume';
import * as update from './update';
import * as upsert from './upsert';

/** The Operation drop-down itself. */
export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Create',
			value: 'create',
			description: 'Create a new webhook subscription',
			action: 'Create webhook',
		},
		{
			name: 'Create or Update',
			value: 'upsert',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			action: 'Create or update webhook',
		},
		{
			name: 'Delete',
			value: 'delete',
			description: 'Delete a webhook subscription permanently',
			action: 'Delete webhook',
		},
		{
			name: 'Get',
			value: 'get',
			description: 'Get one webhook subscription',
			action: 'Get webhook',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			description: 'Get many webhook subscriptions',
			action: 'Get many webhooks',
		},
		{
			name: 'Pause',
			value: 'pause',
			description: 'Stop delivery without deleting the webhook subscription',
			action: 'Pause webhook',
		},
		{
			name: 'Resume',
			value: 'resume',
			description: 'Let a paused webhook subscription deliver again',
			action: 'Resume webhook',
		},
		{
			name: 'Update',
			value: 'update',
			description: 'Change some fields of a webhook subscription',
			action: 'Update webhook',
		},
	],
	default: 'getAll',
};

/** What is done, by the value in the drop-down. */
export const operations = {
	create: create.execute,
	upsert: upsert.execute,
	delete: deletion.execute,
	get: get.execute,
	getAll: getAll.execute,
	pause: pauseResume.pause,
	resume: pauseResume.resume,
	update: update.execute,
} satisfies Operations;

/** The fields below the drop-down, for each of its values. */
export const descriptions: DescriptionsOf<typeof operations> = {
	create: create.description,
	upsert: upsert.description,
	delete: deletion.description,
	get: get.description,
	getAll: getAll.description,
	pause: pauseResume.description,
	resume: pauseResume.description,
	update: update.description,
};
