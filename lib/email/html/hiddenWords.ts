import { plainLetters } from '../../basics';
import { hidesWords } from '../invisible';

const WORD = /[\p{L}\p{N}]/u;
const WORDS = /[\p{L}\p{N}]+/gu;

/** What lists of emails show of an email, from hidden words before all others. */
const MAX_PREVIEW = 300;

/** GitHub hides the ID of each notification below it. */
const MESSAGE_ID = /^message[- ]id:? ?<?[^\s<>]{1,200}@[^\s<>]{1,200}>?$/i;

/** Decides whether hidden words are reported: a preview, a technical ID, and words that are seen elsewhere are not. */
export class HiddenWords {
	/** Hidden for a good reason. */
	excused = '';

	/** Hidden words in a row. */
	private run = '';

	/** No words were visible yet. */
	private isPreview = true;

	private isFound = false;

	/** Words that are reported unless they are seen elsewhere, and words that are seen. */
	private readonly suspects: string[] = [];

	private readonly visible: string[] = [];

	/** Characters of both that may still be kept. */
	private room: { suspects: number; visible: number };

	/** @param maxCompared characters, because pairs of words take memory */
	constructor(maxCompared: number) {
		this.room = { suspects: maxCompared, visible: maxCompared };
	}

	add(text: string): void {
		const words = text.replace(/\s+/g, ' ');
		if (this.run.length <= MAX_PREVIEW) this.run += this.run === '' ? words.trimStart() : words;
		else if (WORD.test(words)) this.suspect(words);
	}

	/** Words that are in the text, though styles that could not be read in full may hide them. */
	addDoubtful(text: string): void {
		if (WORD.test(text)) this.suspect(text);
	}

	/** Words that people see end a run. */
	addVisible(text: string): void {
		if (!WORD.test(text)) return;
		this.room.visible -= text.length;
		if (this.room.visible >= 0) this.visible.push(text);
		if (this.isPreview || this.run !== '') this.endRun();
		this.isPreview = false;
	}

	addInvisible(text: string): void {
		this.isFound ||= hidesWords(text);
	}

	areReported(): boolean {
		// Without any visible words after them, they are not a preview.
		this.isPreview = false;
		this.endRun();
		return this.isFound || !this.areSeenElsewhere();
	}

	private endRun(): void {
		const run = this.run.trimEnd();
		this.run = '';
		const isExcused = this.isPreview ? run.length <= MAX_PREVIEW : MESSAGE_ID.test(run);
		if (isExcused) this.excused += ` ${run}`;
		else if (WORD.test(run)) this.suspect(run);
	}

	private suspect(text: string): void {
		this.room.suspects -= text.length;
		if (this.room.suspects >= 0) this.suspects.push(text);
		else this.isFound = true;
	}

	/** Emails have some blocks twice, for phones and for others. */
	private areSeenElsewhere(): boolean {
		if (this.suspects.length === 0) return true;
		const known = new Set<string>();
		let previous = '';
		for (const text of this.visible) {
			for (const word of wordsOf(text)) {
				known.add(word).add(`${previous} ${word}`);
				previous = word;
			}
		}
		return this.suspects.every((text) => {
			const words = wordsOf(text);
			return words.every((word, index) => {
				const [before, after] = [words[index - 1], words[index + 1]];
				if (before === undefined && after === undefined) return known.has(word);
				return known.has(`${before} ${word}`) || known.has(`${word} ${after}`);
			});
		});
	}
}

function wordsOf(text: string): string[] {
	return plainLetters(text).match(WORDS) ?? [];
}
