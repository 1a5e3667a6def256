import { type Pace, plainLetters } from '../basics';
import type { VisibleText } from './html/htmlToText';

/** How the text part of an email differs from its HTML. */
type Difference = 'none' | 'other words' | 'hidden words';

/** Fewer unknown words in a row are usually a label. */
const MIN_RUN = 3;

const MIN_SHARE_OF_STRANGE = 1 / 3;

// Longer texts are not compared, because words take memory. People write shorter ones.
const MAX_COMPARED = 500_000;

// Reading this many characters takes a few milliseconds.
const CHARACTERS_BETWEEN_PAUSES = 20_000;

// The length of a paragraph that only says where the email can be read.
const MAX_STUB = 300;

const STUB = /\bhtml\b|\bbrowser|navegador|navigateur/;

const IMAGE = /\[(?:image|cid): ?[^\]]{0,200}\]/g;

/** Chinese, Japanese and Thai do not separate words. */
const LETTER_THAT_IS_A_WORD = '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}';

const WORD = new RegExp(
	`[${LETTER_THAT_IS_A_WORD}]|(?:(?![${LETTER_THAT_IS_A_WORD}])[\\p{L}\\p{N}\\p{M}])+`,
	'gu',
);

interface Paragraph {
	words: string[];
	/** The last two labels of each host in it. */
	domains: string[];
	/** Whether it says where else the email can be read. */
	isStub: boolean;
}

/**
 * Compares the words of a text part with the HTML, which mail programs show. A word is known if the HTML has it next to the
 * same word. The text part may be shorter and may contain other addresses. The result is `other words` if a paragraph has
 * three unknown words in a row, with at most two known words between them. It is `hidden words` if a third of them, or the
 * whole text, is not in the HTML at all. Short paragraphs about a browser or HTML, or with a link to a domain in the HTML,
 * do not count as hidden, because newsletters have them.
 *
 * @param shown the visible text of the HTML
 */
export async function compareWithHtml(
	text: string,
	shown: VisibleText,
	pace: Pace,
): Promise<Difference> {
	if (text.length > MAX_COMPARED || shown.text.length > MAX_COMPARED) return 'other words';
	const known = new Set<string>();
	const domains = new Set<string>();
	let previous = '';
	for await (const paragraph of paragraphsOf(shown.text, pace)) {
		for (const word of paragraph.words) {
			known.add(word).add(`${previous} ${word}`);
			previous = word;
		}
		for (const domain of paragraph.domains) domains.add(domain);
	}
	if (known.size === 0) return 'none';
	const excused = new Set(readParagraph(plainLetters(shown.excused), false).words);
	let difference: Difference = 'none';
	let hasWords = false;
	let hasKnown = false;
	for await (const { words, domains: named, isStub } of paragraphsOf(text, pace)) {
		const isExcused = isStub || named.some((domain) => domains.has(domain));
		const found = compareWords(words, known, excused);
		if (found === 'hidden words' && !isExcused) return found;
		if (found !== 'none') difference = 'other words';
		hasKnown ||= words.some((word) => known.has(word));
		hasWords ||= !isExcused && words.length > 0;
	}
	return hasKnown || !hasWords ? difference : 'hidden words';
}

/** Looks for runs of unknown words. Numbers do not count. */
function compareWords(
	words: string[],
	known: ReadonlySet<string>,
	excused: ReadonlySet<string>,
): Difference {
	let difference: Difference = 'none';
	let unknown = 0;
	let strange = 0;
	let knownInRow = 0;
	for (const [index, word] of words.entries()) {
		if (known.has(`${words[index - 1]} ${word}`) || known.has(`${word} ${words[index + 1]}`)) {
			if (++knownInRow === MIN_RUN) unknown = strange = 0;
		} else if (!/\d/.test(word)) {
			knownInRow = 0;
			unknown++;
			if (!known.has(word) && !excused.has(word)) strange++;
		}
		if (unknown < MIN_RUN) continue;
		difference = 'other words';
		// With fewer, the words are only in another order, as in a table.
		if (strange >= unknown * MIN_SHARE_OF_STRANGE) return 'hidden words';
	}
	return difference;
}

async function* paragraphsOf(text: string, pace: Pace): AsyncGenerator<Paragraph> {
	for (const written of text.split(/\n[\t\r >]*\n/)) {
		for (let start = 0; start < written.length; start += CHARACTERS_BETWEEN_PAUSES) {
			const piece = written.slice(start, start + CHARACTERS_BETWEEN_PAUSES);
			if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
			yield readParagraph(plainLetters(piece.replace(IMAGE, ' ')), written.length <= MAX_STUB);
		}
	}
}

function readParagraph(text: string, isShort: boolean): Paragraph {
	const words: string[] = [];
	const domains: string[] = [];
	for (const written of text.split(' ')) {
		const address = /(?:https?:\/\/|@)([^\s/?#:>)\]]*)/.exec(written)?.[1];
		if (address === undefined) words.push(...(written.match(WORD) ?? []));
		else if (isShort) domains.push(address.split('.').slice(-2).join('.'));
	}
	return { words, domains, isStub: isShort && STUB.test(text) };
}
