import { plainLetters } from '../../basics';

/** Chinese, Japanese and Thai do not separate words. */
const LETTER_THAT_IS_A_WORD = '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}';

const WORDS = new RegExp(
	`[${LETTER_THAT_IS_A_WORD}]|(?:(?![${LETTER_THAT_IS_A_WORD}])[\\p{L}\\p{N}\\p{M}])+`,
	'gu',
);

// Most paragraphs need no more, which takes a third of the time.
const NOT_ASCII = /[^\0-\x7f]/;
const ASCII_WORDS = /[a-z\d]+/g;

export function splitWords(text: string): string[] {
	const words = NOT_ASCII.test(text)
		? plainLetters(text).match(WORDS)
		: text.toLowerCase().match(ASCII_WORDS);
	return words ?? [];
}

/** The words that people see. Another text has a word of them if it stands next to the same word there. */
export class KnownWords {
	private readonly known = new Set<string>();

	private last = '';

	add(words: readonly string[]): void {
		for (const word of words) {
			this.known.add(word).add(`${this.last} ${word}`);
			this.last = word;
		}
	}

	isEmpty(): boolean {
		return this.known.size === 0;
	}

	hasAnywhere(word: string): boolean {
		return this.known.has(word);
	}

	has(words: readonly string[], index: number): boolean {
		const [before, word, after] = [words[index - 1], words[index] ?? '', words[index + 1]];
		if (before === undefined && after === undefined) return this.known.has(word);
		return this.known.has(`${before} ${word}`) || this.known.has(`${word} ${after}`);
	}
}
