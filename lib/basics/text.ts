/** Codes of characters. */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;

/** Unicode's limit for text streams (UAX #15, Stream-Safe Text Format); no language needs five. */
const MAX_MARKS = 30;

const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/** Keeps only the first marks after a letter: sorting tens of thousands in a subject would block n8n for minutes. */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
	return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}

/** @example plainLetters('Éléments  envoyés') === plainLetters('elements envoyes') */
export function plainLetters(text: string): string {
	return normalized(text, 'NFKD')
		.replace(/\p{M}+/gu, '')
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.trim();
}

/** In linear time. A regular expression such as `/[.\s]+$/` takes 38 s for 200 KB of spaces. */
export function trimEndOf(text: string, isCut: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isCut(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

export function trimOf(text: string, isCut: (character: string) => boolean): string {
	let start = 0;
	while (start < text.length && isCut(text.charAt(start))) start++;
	return trimEndOf(text.slice(start), isCut);
}

export function isDotOrBlank(character: string): boolean {
	return character === '.' || character.trim() === '';
}

export function withFullStop(text: string): string {
	return `${trimEndOf(text, isDotOrBlank)}.`;
}

/** The source of a regular expression that matches exactly this text. */
export function literalPattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** @param pattern with the flag `y` @returns undefined if it does not match at this position */
export function endOfMatch(pattern: RegExp, text: string, start: number): number | undefined {
	pattern.lastIndex = start;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** A text that does not keep the longer text in memory that it was cut from, as V8's slices do. */
export function ownCopy(text: string): string {
	return Buffer.from(text, 'utf16le').toString('utf16le');
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** For text and for quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** For others' text in an error's description, which n8n's editor shows as HTML. */
export function withoutTags(text: string): string {
	return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** The characters of Windows-1252 from 0x80 to 0x9F, with a space for each of the five unassigned ones. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const FIRST_OF_WINDOWS_1252 = 0x80;

/** Several releases of Node 20 and 22 decode Windows-1252 as Latin-1, so that curly quotes become control characters. */
export function restoreWindows1252(text: string): string {
	if (!/[\u0080-\u009f]/.test(text)) return text;
	const units = new Uint16Array(text.length);
	for (let index = 0; index < text.length; index++) {
		units[index] = restoredCode(text.charCodeAt(index));
	}
	return Buffer.from(units.buffer).toString('utf16le');
}

function restoredCode(code: number): number {
	const index = code - FIRST_OF_WINDOWS_1252;
	if (index < 0 || index >= WINDOWS_1252.length) return code;
	const restored = WINDOWS_1252.charCodeAt(index);
	return restored === SPACE ? code : restored;
}

/** Takes some ten milliseconds, so it is not created when n8n starts. */
let collator: Intl.Collator | undefined;

/** Ignores case, and sorts numbers by value. An empty text comes last in both directions. */
export function sortNaturally<Item>(
	items: readonly Item[],
	textOf: (item: Item) => string,
	direction: 'ascending' | 'descending' = 'ascending',
): Item[] {
	collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
	const { compare } = collator;
	const keyed = items.map((item) => ({ item, text: textOf(item) }));
	keyed.sort((left, right) => {
		const isLeftEmpty = left.text === '';
		const isRightEmpty = right.text === '';
		if (isLeftEmpty !== isRightEmpty) return isLeftEmpty ? 1 : -1;
		const order = compare(left.text, right.text);
		return direction === 'descending' ? -order : order;
	});
	return keyed.map(({ item }) => item);
}
