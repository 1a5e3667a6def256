import { normalized } from './normalization';

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
