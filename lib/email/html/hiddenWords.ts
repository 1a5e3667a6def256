import { hidesWords } from '../invisible';

const WORD = /[\p{L}\p{N}]/u;

/** What lists of emails show of an email, from hidden words before all others. */
const MAX_PREVIEW = 300;

/** GitHub hides the ID of each notification below it. */
const MESSAGE_ID = /^message[- ]id:? ?<?[^\s<>]{1,200}@[^\s<>]{1,200}>?$/i;

// More than a preview and an ID.
const MAX_KEPT = 500;

/** Decides whether hidden words are reported: a preview and a technical ID are not. */
export class HiddenWords {
	/** Hidden for a good reason. */
	excused = '';

	/** Hidden words in a row. */
	private run = '';

	/** No words were visible yet. */
	private isPreview = true;

	private isFound = false;

	add(text: string): void {
		if (this.run.length <= MAX_KEPT) this.run += text.replace(/\s+/g, ' ').trimStart();
		else this.isFound ||= WORD.test(text);
	}

	/** Words that people see end a run. */
	addVisible(text: string): void {
		if ((!this.isPreview && this.run === '') || !WORD.test(text)) return;
		this.endRun();
		this.isPreview = false;
	}

	addInvisible(text: string): void {
		this.isFound ||= hidesWords(text);
	}

	areReported(): boolean {
		this.endRun();
		return this.isFound;
	}

	private endRun(): void {
		const run = this.run.trimEnd();
		this.run = '';
		const isExcused = this.isPreview ? run.length <= MAX_PREVIEW : MESSAGE_ID.test(run);
		if (isExcused) this.excused += ` ${run}`;
		else this.isFound ||= WORD.test(run);
	}
}
