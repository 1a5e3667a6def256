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
