import { hidesWords } from '../invisible';

const WORD = /[\p{L}\p{N}]/u;

/** What lists of emails show of an email, from hidden words before all others. */
const MAX_PREVIEW = 300;

/** GitHub hides the ID of each notification below it. */
const MESSAGE_ID = /^message[- ]id:? ?<?[^\s<>]{1,200}@[^\s<>]{1,200}>?$/i;

// More than an ID.
const MAX_KEPT = 500;

/** Decides whether hidden words are told: a preview and a technical ID are not. */
export class HiddenWords {
	private hasVisibleWords = false;

	private preview = 0;

	/** Hidden words in a row. */
	private run = '';

	private isFound = false;

	add(text: string): void {
		if (!this.hasVisibleWords) {
			this.preview += text.trim() === '' ? 0 : text.replace(/\s+/g, ' ').length;
			this.isFound ||= this.preview > MAX_PREVIEW && WORD.test(text);
		} else if (this.run.length <= MAX_KEPT) {
			this.run += text;
		} else {
			this.isFound ||= WORD.test(text);
		}
	}

	/** Words that people see end a run. */
	addVisible(text: string): void {
		if ((this.hasVisibleWords && this.run === '') || !WORD.test(text)) return;
		this.hasVisibleWords = true;
		this.endRun();
	}

	addInvisible(text: string): void {
		this.isFound ||= hidesWords(text);
	}

	areTold(): boolean {
		this.endRun();
		return this.isFound;
	}

	private endRun(): void {
		const run = this.run.trim().replace(/\s+/g, ' ');
		this.run = '';
		this.isFound ||= WORD.test(run) && !MESSAGE_ID.test(run);
	}
}
