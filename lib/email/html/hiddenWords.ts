import { hidesWords } from '../invisible';
import { KnownWords, splitWords } from '../knownWords';
import type { Limits } from './limits';

const WORD = /[\p{L}\p{N}]/u;

/** GitHub hides the ID of each notification below it. */
const MESSAGE_ID = /^message[- ]id:? ?<?[^\s<>]{1,200}@[^\s<>]{1,200}>?$/i;

/** Decides whether hidden words are reported: a preview, a technical ID, and words that are seen elsewhere are not. */
export class HiddenWords {
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

	constructor(private readonly limits: Limits) {
		this.room = { suspects: limits.comparedWords, visible: limits.comparedWords };
	}

	add(text: string): void {
		this.run += text.replace(/\s+/g, ' ');
	}

	/** Hidden words, and those in the text that styles which could not be read in full may hide. */
	suspect(text: string): void {
		if (!WORD.test(text)) return;
		this.room.suspects -= text.length;
		if (this.room.suspects >= 0) this.suspects.push(text);
		else this.isFound = true;
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
		const run = this.run.trim();
		this.run = '';
		const isExcused = this.isPreview ? run.length <= this.limits.preview : MESSAGE_ID.test(run);
		if (!isExcused) this.suspect(run);
	}

	/** Emails have some blocks twice, for phones and for others. */
	private areSeenElsewhere(): boolean {
		if (this.suspects.length === 0) return true;
		const known = new KnownWords();
		for (const text of this.visible) known.add(splitWords(text));
		return this.suspects.every((text) => {
			const words = splitWords(text);
			return words.every((_, index) => known.has(words, index));
		});
	}
}
