import type { Pace } from '../../basics';
import { KnownWords, splitWords } from './knownWords';

/** Fewer unknown words in a row are usually a label. */
const MIN_RUN = 3;

// Longer texts are not compared, because words take memory. People write shorter ones.
const MAX_COMPARED = 500_000;

// Reading this many characters takes a few milliseconds.
const TEXT_BETWEEN_PAUSES = 20_000;

const LAST_BLANK = 0x20;

const SEVERAL_BLANKS = /[\t ]{2,}|\t/g;

const PARAGRAPH_BREAK = /\n[\t\r >]*\n/;

const IMAGE = /\[(?:image|cid): ?[^\]]{0,200}\]/g;

const LINK_OR_MAILBOX = /https?:\/\/|@/;

/** What a text has in common with the words that people see. */
interface Comparison {
	hasWords: boolean;
	/** A word is in both, wherever. */
	hasCommon: boolean;
	/** Three unknown words stand in a row, with at most two known words between them. */
	hasUnknownRun: boolean;
}

/**
 * Whether a text part says something that the HTML, which mail programs show, does not. The text part may be shorter, and may
 * contain other addresses. It says something else if three unknown words stand in a row, with at most two known words
 * between them, or if it has no word in common.
 */
export async function saysOtherWords(text: string, shown: string, pace: Pace): Promise<boolean> {
	if (text.length > MAX_COMPARED || shown.length > MAX_COMPARED) return true;
	if (beginsWithWords(shown, text)) return false;
	const known = new KnownWords();
	for (const piece of piecesOf(shown)) {
		if (pace.isDue(piece.length / TEXT_BETWEEN_PAUSES)) await pace.pause();
		known.add(comparedWords(piece));
	}
	if (known.isEmpty) return false;
	const comparison: Comparison = { hasWords: false, hasCommon: false, hasUnknownRun: false };
	for (const piece of piecesOf(text)) {
		if (pace.isDue(piece.length / TEXT_BETWEEN_PAUSES)) await pace.pause();
		compare(comparedWords(piece), known, comparison);
		if (comparison.hasUnknownRun) return true;
	}
	return comparison.hasWords && !comparison.hasCommon;
}

/** As most programs write both. Far faster than looking up each word. */
function beginsWithWords(shown: string, text: string): boolean {
	let at = 0;
	for (const line of text.split('\n')) {
		const words = line.trim().replace(SEVERAL_BLANKS, ' ');
		if (words === '') continue;
		if (at > 0 && !isBlankAt(shown, at)) return false;
		while (isBlankAt(shown, at)) at++;
		if (!shown.startsWith(words, at)) return false;
		at += words.length;
	}
	return at === shown.length || isBlankAt(shown, at);
}

/** No other character is before the space. */
function isBlankAt(text: string, index: number): boolean {
	return text.charCodeAt(index) <= LAST_BLANK;
}

/** Numbers do not count. */
function compare(words: readonly string[], known: KnownWords, comparison: Comparison): void {
	const numbers = known.numbersOf(words);
	let unknownInRow = 0;
	let knownInRow = 0;
	for (const [index, word] of words.entries()) {
		const isKnown = known.has(numbers, index);
		if (!isKnown && /\d/.test(word)) continue;
		comparison.hasWords = true;
		comparison.hasCommon ||= numbers[index] !== 0;
		if (isKnown) {
			knownInRow++;
			if (knownInRow === MIN_RUN) unknownInRow = 0;
			continue;
		}
		knownInRow = 0;
		unknownInRow++;
		if (unknownInRow === MIN_RUN) comparison.hasUnknownRun = true;
	}
}

/** The paragraphs of a text; long ones in several pieces. */
function* piecesOf(text: string): Generator<string> {
	for (const paragraph of text.split(PARAGRAPH_BREAK)) {
		for (let start = 0; start < paragraph.length; start += TEXT_BETWEEN_PAUSES)
			yield paragraph.slice(start, start + TEXT_BETWEEN_PAUSES);
	}
}

/** Without those of pictures' names and of addresses. */
function comparedWords(text: string): string[] {
	const withoutImages = text.includes('[') ? text.replace(IMAGE, ' ') : text;
	if (!LINK_OR_MAILBOX.test(withoutImages)) return splitWords(withoutImages);
	const words = withoutImages.split(/\s+/);
	return splitWords(words.filter((word) => !LINK_OR_MAILBOX.test(word)).join(' '));
}
