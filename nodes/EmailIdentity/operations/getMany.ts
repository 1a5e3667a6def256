import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import type { EmailIdentityService } from '../api/service';
import type { Entry } from '../api/data/json';
import { sortNaturally } from '../../../lib/basics';
import type { Item } from './operation';
import { readSwitch, simplifyField } from '../shared/editor/fields';
import { optionsOf } from './output';

/** The fields of a Get Many operation that differ. */
interface ManyFields {
	/** Fields with the names of `Listing.tests`. */
	filters: INodeProperties[];
	/** The names of fields to sort by. */
	sortable: string[];
	/** Default: `simplifyField`. */
	simplify?: INodeProperties;
}

export function getManyFields({
	filters,
	sortable,
	simplify = simplifyField,
}: ManyFields): INodeProperties[] {
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
		sortField(sortable),
	];
}

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

function sortField(sortable: string[]): INodeProperties {
	return {
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
						options: optionsOf(['ascending', 'descending']),
						default: 'ascending',
						description: 'The direction to sort in',
					},
					{
						displayName: 'Field',
						name: 'field',
						type: 'options',
						options: optionsOf(sortable),
						default: 'createdAt',
						description: 'The field to sort the results by',
					},
				],
			},
		],
	};
}

/** A list of the service. */
export interface Listing<Shape> {
	/** The whole list, because the API neither filters nor sorts. */
	list(service: EmailIdentityService): Promise<Entry[]>;
	/** The fields to filter and sort by. */
	toShape(entry: Entry): Shape;
	/** Keys: the names of the filter fields. */
	tests: Readonly<Record<string, FilterTest<Shape>>>;
}

/** @param wanted at least one value; trimmed, in lower case and never empty */
type FilterTest<Shape> = (shape: Shape, wanted: string[]) => boolean;

interface SortRule<Shape> {
	field: keyof Shape;
	direction: 'ascending' | 'descending';
}

/** Requests the whole list, then filters, sorts and limits it as the item's fields say. */
export async function getMany<Shape extends object>(
	item: Item,
	listing: Listing<Shape>,
): Promise<Entry[]> {
	const filters = chosenFilters(item, listing);
	const { rule } = item.parameter('sort', {}) as { rule?: SortRule<Shape> };
	const limit = readLimit(item);
	const entries = await listing.list(item.service);
	if (filters.length === 0 && !rule) return entries.slice(0, limit);

	const candidates = entries.map((entry) => ({ entry, shape: listing.toShape(entry) }));
	let found = candidates.filter(({ shape }) => filters.every((matches) => matches(shape)));
	if (rule) {
		const { field, direction } = rule;
		found = sortNaturally(found, ({ shape }) => String(shape[field] ?? ''), direction);
	}
	return found.slice(0, limit).map(({ entry }) => entry);
}

/** The filters that the user set. An empty one matches everything. */
function chosenFilters<Shape>(
	item: Item,
	{ tests }: Listing<Shape>,
): Array<(shape: Shape) => boolean> {
	const given = item.parameter('filters', {}) as Record<string, unknown>;
	const filters: Array<(shape: Shape) => boolean> = [];
	for (const [name, test] of Object.entries(tests)) {
		const wanted = [given[name]].flat().map(inLowerCase).filter(Boolean);
		if (wanted.length > 0) filters.push((shape) => test(shape, wanted));
	}
	return filters;
}

function readLimit(item: Item): number {
	if (readSwitch(item, 'Return All', item.parameter('returnAll'))) return Infinity;
	const limit = Number(item.parameter('limit'));
	if (Number.isInteger(limit) && limit >= 1) return limit;
	const problem = "'Limit' must be a whole number of at least 1";
	throw new NodeOperationError(item.context.getNode(), problem, {
		description: "Enter the number of results to return, or turn on 'Return All'.",
	});
}

export function inLowerCase(text: unknown): string {
	return String(text ?? '')
		.trim()
		.toLowerCase();
}
