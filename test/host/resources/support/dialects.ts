import { dialects, type Dialect } from '../../../../sandbox';

const contract = dialects.contract;
/** Like the running service, but with single messages, so that mixtures of it can be asked for them. */
const observed: Dialect = { ...dialects.observed, messageRoutes: 'single' };

/** The three ways of speaking that are known, and what other deployments may make of them. */
export const DEPLOYMENTS: Dialect[] = [
	contract,
	dialects.observed,
	dialects.fork,
	{ ...contract, name: 'snake_case in a success envelope', envelope: 'success' },
	{ ...observed, name: 'camelCase, bare', envelope: 'bare' },
	{
		...observed,
		name: 'lists under the name of the resource',
		envelope: 'bare',
		listKey: 'resource',
	},
	{ ...contract, name: 'lists under items in a data envelope', envelope: 'data', listKey: 'items' },
	{ ...contract, name: 'lists under results, ISO times', listKey: 'results', timestamps: 'iso' },
	{ ...observed, name: 'lists under data in data', envelope: 'data', listKey: 'data' },
	{
		...contract,
		name: 'camelCase identities, snake_case webhooks, JSON as JSON',
		fieldNames: 'camel',
		jsonFields: 'json',
		userIdField: 'user_id',
	},
	{
		...observed,
		name: 'snake_case with JSON as text, empty deletion, created with 201',
		fieldNames: 'snake',
		webhookFieldNames: 'snake',
		jsonFields: 'text',
		deleteAnswer: 'empty',
		createStatus: 201,
	},
	{
		...observed,
		name: 'errors as text, metadata under meta, messages with their raw email',
		errorBody: 'text',
		metaField: 'meta',
		messageIncludesRawEmail: true,
	},
];
