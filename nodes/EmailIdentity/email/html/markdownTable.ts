const MAX_COLUMNS = 30;

// Rows with fewer cells than the others, because some of those reach over several rows.
const MAX_MISSING_CELLS = 3;

interface Row {
	/** Index of its line; undefined as long as it has no text. */
	line: number | undefined;
	prefix: string;
	columns: number;
	/** Columns of the current cell, and of the first and the last text. */
	current: number;
	first: number;
	last: number;
	isOnOneLine: boolean;
}

/** Decides at the end of a table whether it has data, or only puts things beside each other. */
export class Table {
	isLayout: boolean;

	private readonly rows: Row[] = [];

	constructor(role: string | undefined) {
		this.isLayout = /^(?:none|presentation)$/.test(role ?? '');
	}

	startRow(): void {
		const columns = { columns: 0, current: 0, first: 0, last: 0 };
		this.rows.push({ line: undefined, prefix: '', ...columns, isOnOneLine: true });
	}

	startCell(span: string | undefined): void {
		const row = this.rows.at(-1);
		if (!row) return;
		row.current = row.columns;
		row.columns += Number(/^[1-9]$/.exec(span ?? '')?.[0] ?? 1);
	}

	/**
	 * Notes the place of a text.
	 *
	 * @param gap between the text and the one before it on the line
	 * @returns the gap, with one tab for each column since the last text
	 */
	place(
		{ line, prefix, isNew }: { line: number; prefix: string; isNew: boolean },
		gap: string,
	): string {
		const row = this.rows.at(-1);
		if (!row || row.columns === 0) {
			this.isLayout ||= row !== undefined;
			return gap;
		}
		const since = row.current - row.last;
		if (row.line === undefined) {
			Object.assign(row, { line, prefix, first: row.current, isOnOneLine: isNew });
		}
		if (row.line !== line) row.isOnOneLine = false;
		row.last = row.current;
		return gap === '\t' ? '\t'.repeat(Math.max(1, Math.min(since, MAX_COLUMNS))) : gap;
	}

	/**
	 * Writes several rows of several columns, each on one line, as a table in Markdown.
	 *
	 * @param lines with the texts of a row separated by tabs; lines that are left out become undefined
	 * @param indent before each line below the first
	 * @returns false if it is none
	 */
	write(lines: Array<string | undefined>, indent: string): boolean {
		const rows = this.rows.filter(({ line }) => line !== undefined);
		const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
		const isData =
			!this.isLayout &&
			columns > 1 &&
			columns <= MAX_COLUMNS &&
			rows.filter(({ first, last }) => last > first).length > 1 &&
			rows.every((row) => row.isOnOneLine && row.columns >= columns - MAX_MISSING_CELLS);
		if (!isData) return false;
		const top = rows[0]?.line ?? 0;
		const places = new Set(rows.map(({ line }) => line));
		const all = Array.from({ length: lines.length - top }, (_, index) => top + index);
		const others = all.filter((line) => !places.has(line));
		if (others.some((line) => lines[line] !== '')) return false;
		for (const line of others) lines[line] = undefined;
		for (const { line = 0, prefix, first } of rows) {
			const text = lines[line]?.replace(/^\n/, '').slice(prefix.length) ?? '';
			const cells = [...Array<string>(first).fill(''), ...text.split('\t')];
			while (cells.length < columns) cells.push('');
			lines[line] = `${prefix}| ${cells.map((cell) => cell.trim()).join(' | ')} |`;
		}
		const above = lines[top - 1]?.trimEnd();
		if (above !== undefined) lines[top - 1] = above;
		const head = `${lines[top]}\n${indent}|${' --- |'.repeat(columns)}`;
		lines[top] = above ? `\n${head}` : head;
		return true;
	}
}
