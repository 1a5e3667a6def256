import { hidesWords } from '../invisible';

const WORD = /[\p{L}\p{N}]/u;

/** What lists of emails show of an email, from hidden words before all others. */
const MAX_PREVIEW = 300;

/** GitHub hides the ID of each notification below it. */
const MESSAGE_ID = /^message[- ]id:? ?<?[^\s<>]{1,200}@[^\s<>]{1,200}>?$/i;

// More than an ID.
const MAX_KEPT = 500;

/** Decides whether hidden words are reported: a preview and a technical ID are not. */
export class HiddenWords {
	private hasVisibleWords = false;

	/** Hidden for a good reason. */
	excused = '';

	/** Hidden words in a row. */
	private run = '';

	private isFound = false;

	add(text: string): void {
		if (!this.hasVisibleWords) {
			if (this.excused.length <= MAX_PREVIEW) this.excused += text.replace(/\s+/g, ' ').trimStart();
			this.isFound ||= this.excused.length > MAX_PREVIEW && WORD.test(text);
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

	areReported(): boolean {
		this.endRun();
		return this.isFound;
	}

	private endRun(): void {
		const run = this.run.trim().replace(/\s+/g, ' ');
		this.run = '';
		if (MESSAGE_ID.test(run)) this.excused += ` ${run}`;
		else this.isFound ||= WORD.test(run);
	}
}
