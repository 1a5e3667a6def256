import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Everything that n8n has written to its console, over all its starts. */
export class OutputLog {
	private written = '';

	/** @param file keeps it, for other processes to read; in memory unless given */
	constructor(private readonly file?: string) {}

	add(text: string): void {
		if (this.file === undefined) this.written += text;
		else appendFileSync(this.file, text);
	}

	/** All of it, or what came after a mark. */
	text(mark = 0): string {
		if (this.file === undefined) return this.written.slice(mark);
		return existsSync(this.file) ? readFileSync(this.file, 'utf8').slice(mark) : '';
	}

	/** A place in the log to read from later on. */
	mark(): number {
		return this.text().length;
	}

	/** The last lines, for an error message. */
	tail(lines = 30): string {
		return this.text().trimEnd().split('\n').slice(-lines).join('\n');
	}
}
