/** Unicode's bound for texts that are worked on piece by piece (UAX #15, Stream-Safe Text Format); no language needs five. */
const MOST_MARKS = 30;

const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Writes letters that look the same in the same way (Unicode, UAX #15). Marks that follow a letter are sorted for that, and
 * the time for it grows with the square of their number: tens of thousands, which anybody can write into a subject, would
 * keep n8n busy for minutes. So of each run of marks the first thirty count.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
	return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}

const MARKS = /\p{M}+/gu;

const BLANKS = /\s+/g;

/**
 * Writes a text so that two that people take for the same are equal: lower case, without accents, each run of blanks as
 * one. For comparing only. Time and memory are linear in the length; who compares strangers' texts bounds that.
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
 * @param isCut tells by one character whether it goes
 */
export function trimEndOf(text: string, isCut: (character: string) => boolean): string {
	let end = text.length;
	while (end > 0 && isCut(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

/** Whether a character is a dot or a blank, line breaks included. */
export function isDotOrBlank(character: string): boolean {
	return character === '.' || character.trim() === '';
}

/** A sentence, or several, with exactly one full stop at the end, whatever dots and blanks there were. */
export function withFullStop(text: string): string {
	return `${trimEndOf(text, isDotOrBlank)}.`;
}
