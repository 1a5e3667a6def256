import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { sortNaturally } from '../shared/naturalOrder';

/** The editor draws every entry it is given, and asks for more when the user scrolls. */
const PAGE_SIZE = 100;

/**
 * Searches the entries of a drop-down and gives one page of them, in alphabetical order.
 *
 * @param filter what the user typed: each word must occur in the name or be the start of the ID
 * @param paginationToken where the page begins, as the page before it said
 */
export function toPage(
	choices: INodeListSearchItems[],
	filter = '',
	paginationToken = '0',
): INodeListSearchResult {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const found = choices.filter(({ name, value }) =>
		words.every(
			(word) => name.toLowerCase().includes(word) || String(value).toLowerCase().startsWith(word),
		),
	);
	const sorted = sortNaturally(found, ({ name }) => name);
	const start = Number(paginationToken) || 0;
	const end = start + PAGE_SIZE;
	return {
		results: sorted.slice(start, end),
		...(end < found.length ? { paginationToken: String(end) } : {}),
	};
}
