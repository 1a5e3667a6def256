import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What a program has written to its console, over all its starts. */
export class OutputLog {
	private written = '';

	/** @param file keeps it, for other processes to read; in memory unless given */
	constructor(private readonly file?: string) {}

	add(text: string): void {
		if (this.file === undefined) this.written += text;
		else appendFileSync(this.file, text);
	}

	text(mark = 0): string {
		if (this.file === undefined) return this.written.slice(mark);
		return existsSync(this.file) ? readFileSync(this.file, 'utf8').slice(mark) : '';
	}

	mark(): number {
		return this.text().length;
	}

	tail(): string {
		return this.text().trimEnd().split('\n').slice(-30).join('\n');
	}
}
