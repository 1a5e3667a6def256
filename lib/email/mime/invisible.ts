/** Scripts in which a joiner changes the letters next to it, such as Arabic, Devanagari and Mongolian. */
const JOINING_SCRIPTS =
	'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';

const JOINING = JOINING_SCRIPTS.split(' ')
	.map((script) => `\\p{scx=${script}}`)
	.join('');

/** Flags of England, Scotland and Wales: a black flag, the region in tag characters, and the cancel tag (UTS #51, ED-14a). */
const FLAGS = ['gbeng', 'gbsct', 'gbwls']
	.map((region) => `\u{1f3f4}${toTags(region)}\u{e007f}`)
	.join('|');

/** Invisible characters that change the character before or after them. */
const NEEDED = [
	FLAGS,
	// Between two letters, before punctuation (Persian abbreviations), or after a virama at the end of a word.
	`(?<=[${JOINING}])[\\u200c\\u200d](?=\\p{DI}*[^\\s\\p{DI}])`,
	`(?<=(?=\\p{M})[${JOINING}])\\u200d`,
	// Emoji that combine several, such as a woman and a computer.
	'(?<=\\p{ExtPict}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{ExtPict})',
	// A single variation selector, for emoji, mathematical symbols, and East Asian and Mongolian letters.
	'(?<=[\\p{Emoji}\\p{Sm}\\p{scx=Hani}\\p{scx=Mymr}])[\\ufe00-\\ufe0f]',
	'(?<=\\p{scx=Hani})[\\u{e0100}-\\u{e01ef}]',
	'(?<=\\p{scx=Mong})[\\u180b-\\u180f]',
].join('|');

/** All characters that have no width or only control the writing direction. */
const INVISIBLE = /[\p{DI}\ufff9-\ufffb]/u;

const INVISIBLE_UNLESS_NEEDED = new RegExp(`(${NEEDED})|[\\p{DI}\\ufff9-\\ufffb]`, 'gu');

/**
 * Removes invisible characters, which can carry words that only a machine reads: tags, variation selectors, characters
 * without a width, and direction controls. Keeps those that an emoji or a script needs.
 */
export function withoutInvisible(text: string): string {
	return INVISIBLE.test(text) ? text.replace(INVISIBLE_UNLESS_NEEDED, '$1') : text;
}

function toTags(letters: string): string {
	return String.fromCodePoint(...[...letters].map((letter) => 0xe0000 + letter.charCodeAt(0)));
}
