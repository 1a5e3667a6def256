import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import type { EmailIdentityService } from '../api/service';
import type { Entry } from '../api/types';
import { sortNaturally } from '../lib/text';
import { readSwitch } from '../shared/switches';
import type { Session } from './operation';
import { isSimplified, simplifyField } from './simplify';

const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

/**
 * How many results the user wants; all of them is infinity.
 *
 * @throws NodeOperationError when expressions give no whole number of at least 1, or no yes or no for Return All
 */
function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	const returnAll = context.getNodeParameter('returnAll', itemIndex);
	if (readSwitch(context.getNode(), 'Return All', returnAll, itemIndex)) return Infinity;
	const given = context.getNodeParameter('limit', itemIndex) as unknown;
	const limit = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
	throw new NodeOperationError(context.getNode(), 'The limit is not a whole number of at least 1', {
		itemIndex,
		description: 'Enter how many results there may be, or switch Return All on.',
	});
}

/**
 * The fields of a Get Many operation.
 *
 * @param filters one field each, named as its test in `Listing.tests`
 * @param sortable what can be sorted by; values are fields of `Listing.toShape`, `createdAt` among them
 * @param simplify the Simplify field
 */
export function getManyFields(
	filters: INodeProperties[],
	sortable: INodePropertyOptions[],
	simplify: INodeProperties = simplifyField,
): INodeProperties[] {
	return [
		returnAllField,
		limitField,
		simplify,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: filters,
		},
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'fixedCollection',
			placeholder: 'Add Sort Rule',
			default: {},
			options: [
				{
					displayName: 'Rule',
					name: 'rule',
					values: [
						{
							displayName: 'Direction',
							name: 'direction',
							type: 'options',
							options: [
								{ name: 'Ascending', value: 'ascending' },
								{ name: 'Descending', value: 'descending' },
							],
							default: 'ascending',
							description: 'Which end of the order comes first',
						},
						{
							displayName: 'Field',
							name: 'field',
							type: 'options',
							options: sortable,
							default: 'createdAt',
							description: 'What the results are put in order by',
						},
					],
				},
			],
		},
	];
}

interface SortRule {
	field: string;
	direction: 'ascending' | 'descending';
}

/** Whether a result passes one filter, given what it was set to: blanks trimmed, in lower case, never empty. */
export type FilterTest<Shape> = (shape: Shape, wanted: string[]) => boolean;

/** What differs between the lists of the service. */
export interface Listing<Shape> {
	/** The whole list, as the API neither filters nor sorts. */
	list(service: EmailIdentityService): Promise<Entry[]>;
	/** All that is known of an entry, which is filtered and sorted by. */
	toShape(entry: Entry): Shape;
	/** What of it is put out with Simplify on: an object of its own. */
	toOutput(shape: Shape): object;
	/** By the name of the filter's field; one that is left empty lets everything pass. */
	tests: Readonly<Record<string, FilterTest<Shape>>>;
}

/**
 * Does a Get Many operation for one input item: filters, sorts and limits the list as asked.
 *
 * @throws NodeApiError when the list cannot be read whole
 */
export async function getMany<Shape extends object>(
	{ context, service }: Session,
	itemIndex: number,
	{ list, toShape, toOutput, tests }: Listing<Shape>,
): Promise<IDataObject[]> {
	const passes = readFilters(context, itemIndex, tests);
	const limit = readLimit(context, itemIndex);
	const simplified = isSimplified(context, itemIndex);
	const found = (await list(service))
		.map((entry) => ({ entry, shape: toShape(entry) }))
		.filter(({ shape }) => passes(shape));
	const { rule } = context.getNodeParameter('sort', itemIndex, {}) as { rule?: SortRule };
	const sorted =
		rule === undefined
			? found
			: sortNaturally(found, ({ shape }) => textOf(shape, rule.field), rule.direction);
	return sorted
		.slice(0, limit)
		.map(({ entry, shape }) => (simplified ? (toOutput(shape) as IDataObject) : entry));
}

/** One test of all filters that are set, put together once for the whole list. */
function readFilters<Shape>(
	context: IExecuteFunctions,
	itemIndex: number,
	tests: Listing<Shape>['tests'],
): (shape: Shape) => boolean {
	const filters = context.getNodeParameter('filters', itemIndex, {}) as Record<string, unknown>;
	const set = Object.entries(tests).flatMap(([name, test]) => {
		const wanted = [filters[name] ?? []].flat().map(foldCase).filter(Boolean);
		return wanted.length === 0 ? [] : [(shape: Shape) => test(shape, wanted)];
	});
	return (shape) => set.every((test) => test(shape));
}

/** As texts are compared by filters. */
export function foldCase(text: unknown): string {
	return String(text ?? '')
		.trim()
		.toLowerCase();
}

function textOf(shape: object, field: string): string {
	const value = new Map<string, unknown>(Object.entries(shape)).get(field);
	return value === undefined || value === null ? '' : String(value);
}
