import { plainLetters } from '../../basics';

/** Chinese, Japanese and Thai do not separate words. */
const LETTER_THAT_IS_A_WORD = '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}';

const WORDS = new RegExp(
	`[${LETTER_THAT_IS_A_WORD}]|(?:(?![${LETTER_THAT_IS_A_WORD}])[\\p{L}\\p{N}\\p{M}])+`,
	'gu',
);

/** Letters and digits beyond ASCII. Blanks, quotation marks and dashes of Latin-1 and of General Punctuation separate words. */
const OTHER_LETTER = /[^\0-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\u2000-\u206f]/;

// Most paragraphs need no more, which takes a third of the time.
const ASCII_WORDS = /[a-z\d]+/g;

/** A word is a number; 0 is none. */
const UNKNOWN = 0;

/** More than there are words in any text that is compared. */
const MAX_WORDS = 2 ** 20;

export function splitWords(text: string): string[] {
	const words = OTHER_LETTER.test(text)
		? plainLetters(text).match(WORDS)
		: text.toLowerCase().match(ASCII_WORDS);
	return words ?? [];
}

/** The words that people see. Another text has a word of them if it stands next to the same word there. */
export class KnownWords {
	private readonly numbers = new Map<string, number>();

	/** Words that follow each other. One number for both is twice as fast as their text. */
	private readonly pairs = new Set<number>();

	private last = UNKNOWN;

	get isEmpty(): boolean {
		return this.numbers.size === 0;
	}

	add(words: readonly string[]): void {
		for (const word of words) {
			const number = this.numbers.get(word) ?? this.numbers.size + 1;
			this.numbers.set(word, number);
			this.pairs.add(pairOf(this.last, number));
			this.last = number;
		}
	}

	/** 0 for words that are not known. */
	numbersOf(words: readonly string[]): number[] {
		return words.map((word) => this.numbers.get(word) ?? UNKNOWN);
	}

	/** @param numbers words of the other text */
	has(numbers: readonly number[], index: number): boolean {
		const word = numbers[index] ?? UNKNOWN;
		if (word === UNKNOWN || numbers.length === 1) return word !== UNKNOWN;
		const before = numbers[index - 1];
		if (before !== undefined && this.pairs.has(pairOf(before, word))) return true;
		const after = numbers[index + 1];
		return after !== undefined && this.pairs.has(pairOf(word, after));
	}
}

function pairOf(word: number, next: number): number {
	return word * MAX_WORDS + next;
}
