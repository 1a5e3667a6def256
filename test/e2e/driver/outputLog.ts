/** Everything that n8n has written to its console, over all its starts, to be searched by tests. */
export class OutputLog {
	private written = '';

	add(text: string): void {
		this.written += text;
	}

	/** All of it, or what came after a mark. */
	text(mark = 0): string {
		return this.written.slice(mark);
	}

	/** A place in the log to look from later on. */
	mark(): number {
		return this.written.length;
	}

	/** The last lines, for an error message. */
	tail(lines = 30): string {
		return this.written.trimEnd().split('\n').slice(-lines).join('\n');
	}
}
