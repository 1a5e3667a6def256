let collator: Intl.Collator | undefined;

/**
 * Compares two texts as people sort names: upper and lower case alike, numbers by their value.
 *
 * Node takes some ten milliseconds for its first collator, which n8n would wait for at every start.
 *
 * @returns negative when the left one comes first, positive when the right one does
 */
export function compareNaturally(left: string, right: string): number {
	collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
	return collator.compare(left, right);
}

/**
 * Sorts by a text as people sort names.
 *
 * @param textOf is asked once for each item; items with an empty text come last in both directions
 * @returns a new list; items with the same text keep their order
 */
export function sortNaturally<Item>(
	items: readonly Item[],
	textOf: (item: Item) => string,
	direction: 'ascending' | 'descending' = 'ascending',
): Item[] {
	const sign = direction === 'descending' ? -1 : 1;
	const keyed = items.map((item) => ({ item, text: textOf(item) }));
	keyed.sort((left, right) => {
		if (left.text === '' || right.text === '')
			return Number(left.text === '') - Number(right.text === '');
		return sign * compareNaturally(left.text, right.text);
	});
	return keyed.map(({ item }) => item);
}
