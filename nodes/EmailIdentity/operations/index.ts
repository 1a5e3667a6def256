import {
	NodeOperationError,
	type IDisplayOptions,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { auditIdentities } from './identity/audit';
import { getIdentity } from './identity/get';
import { getManyIdentities } from './identity/getAll';
import { getMessage } from './message/get';
import { parseMessage } from './message/parse';
import { replyToMessage } from './message/reply';
import { sendMessage } from './message/send';
import { sendMessageAndWait } from './message/sendAndWait';
import { simplifyField } from '../shared/editor/fields';
import { isLocal, type Operation } from './operation';
import { toolOutputFields } from './output';
import { getUser } from './user/get';
import { auditWebhooks } from './webhook/audit';
import { createWebhook } from './webhook/create';
import { deleteWebhook } from './webhook/delete';
import { getWebhook } from './webhook/get';
import { getManyWebhooks } from './webhook/getAll';
import { pauseWebhook, resumeWebhook, updateWebhook } from './webhook/update';
import { upsertWebhook } from './webhook/upsert';

interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** In the order of the node's menus. */
export const RESOURCES: Resource[] = [
	{
		name: 'Identity',
		value: 'identity',
		operations: [auditIdentities, getIdentity, getManyIdentities],
	},
	{
		name: 'Message',
		value: 'message',
		operations: [getMessage, parseMessage, replyToMessage, sendMessage, sendMessageAndWait],
	},
	{ name: 'User', value: 'user', operations: [getUser] },
	{
		name: 'Webhook',
		value: 'webhook',
		operations: [
			auditWebhooks,
			createWebhook,
			upsertWebhook,
			deleteWebhook,
			getWebhook,
			getManyWebhooks,
			pauseWebhook,
			resumeWebhook,
			updateWebhook,
		],
	},
];

/** The values of the operations that ask nothing of the service. */
export const OPERATIONS_WITHOUT_CREDENTIAL: string[] = RESOURCES.flatMap(({ operations }) =>
	operations.filter(isLocal).map(({ value }) => value),
);

/** @throws NodeOperationError when an expression or an edited workflow names an unknown operation */
export function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const chosenResource = RESOURCES.find(({ value }) => value === resource);
	const chosen = chosenResource?.operations.find(({ value }) => value === operation);
	if (chosen !== undefined) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${String(operation)}" for the resource "${String(resource)}"`,
	);
}

/** Adds conditions to those under which a field is shown. */
function shownFor(field: INodeProperties, conditions: IDisplayOptions['show']): INodeProperties {
	const show = { ...field.displayOptions?.show, ...conditions };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

/** A tool has Output in the place of Simplify. */
function withToolOutput(operation: Operation): INodeProperties[] {
	if (!('output' in operation) || operation.output === undefined) return operation.fields;
	const fields: INodeProperties[] = [];
	for (const field of operation.fields) {
		if (field.name === simplifyField.name) {
			fields.push(shownFor(field, { '@tool': [false] }));
			fields.push(...toolOutputFields(operation.output.fields));
		} else {
			fields.push(field);
		}
	}
	return fields;
}

function toOption(operation: Operation): INodePropertyOptions {
	const { name, value, description, action, displayOptions } = operation;
	const option: INodePropertyOptions = { name, value, description, action };
	if (displayOptions !== undefined) option.displayOptions = displayOptions;
	return option;
}

function fieldsOf({ value, operations }: Resource): INodeProperties[] {
	const hasList = operations.some((one) => one.value === 'getAll');
	const defaultOperation = hasList ? 'getAll' : 'get';
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(toOption),
		default: defaultOperation,
		displayOptions: { show: { resource: [value] } },
	};
	const fields = [operationField];
	for (const operation of operations) {
		const conditions = { resource: [value], operation: [operation.value] };
		for (const field of withToolOutput(operation)) fields.push(shownFor(field, conditions));
	}
	return fields;
}

export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: RESOURCES.map(({ name, value }) => ({ name, value })),
		default: 'identity',
	},
	...RESOURCES.flatMap(fieldsOf),
];
