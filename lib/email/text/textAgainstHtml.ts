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

const IMAGE = /\[(?:image|cid): ?[^\]]{0,200}\]/g;

const LINK_OR_MAILBOX = /https?:\/\/|@/;

/**
 * Whether a text part says something that the HTML, which mail programs show, does not. The text part may be shorter, and may
 * contain other addresses. It says something else if three unknown words stand in a row, with at most two known words
 * between them, or if it has no word in common.
 */
export async function saysOtherWords(text: string, shown: string, pace: Pace): Promise<boolean> {
	if (text.length > MAX_COMPARED || shown.length > MAX_COMPARED) return true;
	if (beginsWithWords(shown, text)) return false;
	const eachParagraph = async (of: string, use: (words: string[]) => void) => {
		for (const piece of piecesOf(of)) {
			if (pace.isDue(piece.length / TEXT_BETWEEN_PAUSES)) await pace.pause();
			use(splitWords(withoutAddresses(piece.replace(IMAGE, ' '))));
		}
	};
	const known = new KnownWords();
	await eachParagraph(shown, (words) => known.add(words));
	if (known.isEmpty()) return false;
	const counts: WordCounts = { words: 0, longestRun: 0, hasCommon: false };
	await eachParagraph(text, (words) => count(words, known, counts));
	const { words, longestRun, hasCommon } = counts;
	return longestRun >= MIN_RUN || (words > 0 && !hasCommon);
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

interface WordCounts {
	words: number;
	longestRun: number;
	/** A word is in both, wherever. */
	hasCommon: boolean;
}

/** Numbers do not count. */
function count(words: string[], known: KnownWords, counts: WordCounts): void {
	let [run, knownInRow] = [0, 0];
	for (const [index, word] of words.entries()) {
		const isKnown = known.has(words, index);
		if (/\d/.test(word) && !isKnown) continue;
		counts.words++;
		counts.hasCommon ||= known.hasAnywhere(word);
		if (isKnown) {
			if (++knownInRow === MIN_RUN) run = 0;
			continue;
		}
		knownInRow = 0;
		counts.longestRun = Math.max(counts.longestRun, ++run);
	}
}

function withoutAddresses(text: string): string {
	if (!LINK_OR_MAILBOX.test(text)) return text;
	const words = text.split(/\s+/);
	return words.filter((word) => !LINK_OR_MAILBOX.test(word)).join(' ');
}

/** The paragraphs of a text; long ones in several pieces. */
function* piecesOf(text: string): Generator<string> {
	for (const paragraph of text.split(/\n[\t\r >]*\n/)) {
		for (let start = 0; start < paragraph.length; start += TEXT_BETWEEN_PAUSES)
			yield paragraph.slice(start, start + TEXT_BETWEEN_PAUSES);
	}
}
