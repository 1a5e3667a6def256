import type { Attributes } from './elements';

const MAX_COLUMNS = 30;

// Rows with fewer cells than the others, because some of those reach over several rows.
const MAX_MISSING_CELLS = 3;

/** A line that can be a row. */
export interface RowLine {
	text: string;
	/** Of the lines that are added to it. */
	indent: string;
	/** Set for the rows of a table that is shown as one. */
	table?: Table;
}

interface TableRow {
	/** Undefined as long as it has no text. */
	line: RowLine | undefined;
	columns: number;
	/** The column of the current cell, and those with text. */
	current: number;
	filled: number[];
	isOnOneLine: boolean;
}

/** Decides at the end of a table whether it has data, or only puts things beside each other. */
export class Table {
	isLayout: boolean;

	private readonly rows: TableRow[] = [];

	constructor(attributes: Attributes) {
		this.isLayout = /^(?:none|presentation)$/.test(attributes.get('role') ?? '');
	}

	startRow(): void {
		// One without text is none.
		if (this.rows.at(-1)?.line === undefined) this.rows.pop();
		this.rows.push({ line: undefined, columns: 0, current: 0, filled: [], isOnOneLine: true });
	}

	startCell(span: string | undefined): void {
		const row = this.rows.at(-1);
		if (!row) return;
		row.current = row.columns;
		row.columns += Number(/^[1-9]$/.exec(span ?? '')?.[0] ?? 1);
	}

	/** Notes the place of a text. On one line, texts of different cells are separated by tabs. */
	addText(line: RowLine, isFirstOfLine: boolean): void {
		const row = this.rows.at(-1);
		if (!row) return;
		if (row.columns === 0) this.isLayout = true;
		if (row.line === undefined ? !isFirstOfLine : row.line !== line) row.isOnOneLine = false;
		row.line ??= line;
		if (row.filled.at(-1) !== row.current) row.filled.push(row.current);
	}

	/** Writes several rows of several columns, each on one line, as a table in Markdown. */
	write(): void {
		const rows = this.rows.filter(({ line }) => line?.text);
		const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
		const isData =
			!this.isLayout &&
			columns > 1 &&
			columns <= MAX_COLUMNS &&
			rows.filter(({ filled }) => filled.length > 1).length > 1 &&
			rows.every((row) => row.isOnOneLine && row.columns >= columns - MAX_MISSING_CELLS);
		if (!isData) return;
		for (const [index, { line, filled }] of rows.entries()) {
			if (!line) continue;
			const cells = Array<string>(columns).fill('');
			for (const [place, text] of line.text.split('\t').entries()) {
				cells[filled[place] ?? columns] = text.trim();
			}
			line.text = `| ${cells.join(' | ')} |`;
			if (index === 0) line.text += `\n${line.indent}|${' --- |'.repeat(columns)}`;
			line.table = this;
		}
	}
}
