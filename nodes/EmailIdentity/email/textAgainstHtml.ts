import type { Pace } from '../lib/pause';
import { plainLetters } from '../lib/text';
import type { VisibleText } from './html/htmlToText';

/** What the text part of an email says beside its HTML. */
export type Difference = 'none' | 'other words' | 'hidden words';

/** Fewer unknown words are a label. */
const MIN_RUN = 3;

const MIN_SHARE_OF_STRANGE = 1 / 3;

// No text that people write is longer, and words cost memory.
const MAX_COMPARED = 500_000;

// Reading so many characters takes a few milliseconds.
const CHARACTERS_BETWEEN_PAUSES = 20_000;

// Of a paragraph that says only where the email can be seen.
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
	/** The last two labels of the hosts in it. */
	domains: string[];
	/** It tells where else the email can be read. */
	isStub: boolean;
}

/**
 * Compares the words of a text part with the HTML, which is what people see. A word is known if it stands beside the same
 * word in the HTML. The text part may say less, and may have addresses of its own. It says other words if three unknown words
 * follow each other in a paragraph, with at most two known ones between. They count as hidden if a third of them is not in the
 * HTML at all, or nothing of the text is, except in short paragraphs about a browser, HTML, or with a link to a domain of the
 * HTML, as newsletters have them.
 *
 * @param shown what people see of the HTML
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
		const run = new Run();
		for (const [index, word] of words.entries()) {
			const isKnown =
				known.has(`${words[index - 1]} ${word}`) || known.has(`${word} ${words[index + 1]}`);
			run.add(word, isKnown, !known.has(word) && !excused.has(word));
			if (run.isLong() && difference === 'none') difference = 'other words';
			if (run.isStrange() && !isExcused) return 'hidden words';
			hasKnown ||= known.has(word);
			hasWords ||= !isExcused;
		}
	}
	if (hasKnown || !hasWords) return difference;
	return 'hidden words';
}

/** Words that are unknown, with at most two known ones between. Numbers do not count. */
class Run {
	private unknown = 0;

	private strange = 0;

	/** Since the last unknown one. */
	private known = 0;

	add(word: string, isKnown: boolean, isStrange: boolean): void {
		if (isKnown) {
			if (++this.known < MIN_RUN) return;
			this.unknown = 0;
			this.strange = 0;
		} else if (!/\d/.test(word)) {
			this.known = 0;
			this.unknown++;
			if (isStrange) this.strange++;
		}
	}

	isLong(): boolean {
		return this.unknown >= MIN_RUN;
	}

	/** In contrast to words that are only in another order, such as a table's. */
	isStrange(): boolean {
		return this.isLong() && this.strange >= this.unknown * MIN_SHARE_OF_STRANGE;
	}
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
