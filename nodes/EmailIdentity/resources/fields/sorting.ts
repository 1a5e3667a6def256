import type { INodeProperties, IExecuteFunctions, INodePropertyOptions } from 'n8n-workflow';

import { compareNaturally } from '../../naturalOrder';

/**
 * The Sort fields of a Get Many operation.
 *
 * @param sortable what can be sorted by; values are fields of the simplified shape, `createdAt` among them
 */
export function sortingField(sortable: INodePropertyOptions[]): INodeProperties {
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
	};
}

interface SortRule {
	field: string;
	direction: 'ascending' | 'descending';
}

/**
 * Puts results in the order that the user asked for; in the service's own order without a rule.
 *
 * @param shapeOf the simplified shape of a result, whose fields are compared; empty ones come last
 */
export function sortAsAsked<Result>(
	context: IExecuteFunctions,
	itemIndex: number,
	results: Result[],
	shapeOf: (result: Result) => object,
): Result[] {
	const { rule } = context.getNodeParameter('sort', itemIndex, {}) as { rule?: SortRule };
	if (rule === undefined) return results;
	const sign = rule.direction === 'descending' ? -1 : 1;
	const keyed = results.map((result) => {
		const value = new Map(Object.entries(shapeOf(result))).get(rule.field) as unknown;
		return { result, key: value === undefined || value === null ? '' : String(value) };
	});
	keyed.sort((left, right) => {
		if (left.key === '' || right.key === '')
			return Number(left.key === '') - Number(right.key === '');
		return sign * compareNaturally(left.key, right.key);
	});
	return keyed.map(({ result }) => result);
}
