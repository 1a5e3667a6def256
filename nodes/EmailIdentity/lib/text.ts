/** Unicode's bound for texts that are worked on piece by piece (UAX #15, Stream-Safe Text Format); no language needs five. */
const MAX_MARKS = 30;

const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/**
 * Writes letters that look the same in the same way (Unicode, UAX #15). Marks that follow a letter are sorted for that, and
 * the time for it grows with the square of their number: tens of thousands in a subject would keep n8n busy for
 * minutes. So the first thirty marks of each run count.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
	return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}

const MARKS = /\p{M}+/gu;

const BLANKS = /\s+/g;

/**
 * Writes a text so that two that people take for the same are equal: lower case, without accents, each run of blanks as
 * one. For comparing only. Time and memory are linear in the length.
 *
 * @example plainLetters('Éléments  envoyés') === plainLetters('elements envoyes')
 */
export function plainLetters(text: string): string {
	return normalized(text, 'NFKD').replace(MARKS, '').toLowerCase().replace(BLANKS, ' ').trim();
}

/**
 * Cuts characters off the end of a text, in time that is linear in its length: an expression such as `/[.\s]+$/` tries
 * every run of them anew from each of its characters, which takes 38 s for 200 KB of blanks.
 *
 * @param isCut whether a character is cut off
 */
export function trimEndOf(text: string, isCut: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isCut(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

/** The same at both ends. */
export function trimOf(text: string, isCut: (character: string) => boolean): string {
	let start = 0;
	while (start < text.length && isCut(text.charAt(start))) start++;
	return trimEndOf(text.slice(start), isCut);
}

export function isDotOrBlank(character: string): boolean {
	return character === '.' || character.trim() === '';
}

/** Replaces dots and blanks at the end by one full stop. */
export function withFullStop(text: string): string {
	return `${trimEndOf(text, isDotOrBlank)}.`;
}

/** The characters of Windows-1252 at 0x80 to 0x9F; a blank stands for each of the five that have none. */
const CHARACTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const FIRST = 0x80;
const LAST = 0x9f;
const SPACE = 0x20;

/**
 * Several releases of Node 20 and 22 read Windows-1252 (which much of Outlook's mail is written in, and what Latin-1
 * stands for in mail) as plain Latin-1: dashes, curly quotes and the Euro sign become control characters
 * that no text contains. They become again what they were.
 */
export function restoreWindows1252(text: string): string {
	if (!/[\u0080-\u009f]/.test(text)) return text;
	const units = new Uint16Array(text.length);
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		const restored = code >= FIRST && code <= LAST ? CHARACTERS.charCodeAt(code - FIRST) : code;
		units[index] = restored === SPACE ? code : restored;
	}
	return Buffer.from(units.buffer).toString('utf16le');
}

let collator: Intl.Collator | undefined;

/**
 * Sorts by a text as people sort names: upper and lower case alike, numbers by their value.
 *
 * Node takes some ten milliseconds for its first collator, so it is not made when n8n starts.
 *
 * @param textOf is called once for each item; items with an empty text come last in both directions
 * @returns a new list; items with the same text keep their order
 */
export function sortNaturally<Item>(
	items: readonly Item[],
	textOf: (item: Item) => string,
	direction: 'ascending' | 'descending' = 'ascending',
): Item[] {
	const { compare } = (collator ??= new Intl.Collator('en', {
		numeric: true,
		sensitivity: 'base',
	}));
	const sign = direction === 'descending' ? -1 : 1;
	const keyed = items.map((item) => ({ item, text: textOf(item) }));
	keyed.sort((left, right) => {
		if (left.text === '' || right.text === '')
			return Number(left.text === '') - Number(right.text === '');
		return sign * compare(left.text, right.text);
	});
	return keyed.map(({ item }) => item);
}
