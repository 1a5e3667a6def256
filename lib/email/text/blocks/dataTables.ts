import { hasWords, type Block, type Row, type Table } from './blocks';
import type { Attributes } from '../html/elements';

const MAX_COLUMNS = 30;

// Rows with fewer cells than the others, because some of those reach over several rows.
const MAX_MISSING_CELLS = 3;

const ROLE_OF_LAYOUT = /^(?:none|presentation)$/;

/** A cell that says a larger number counts as one column. */
const DIGIT = /^[1-9]$/;

/** A table that is being read. Its rows are counted one after the other, because there can be millions. */
export interface OpenTable extends Table {
	/** It only puts things beside each other. */
	isLayout: boolean;
	/** The last row with text, which is counted when the next one begins; undefined without one. */
	lastRow: OpenRow | undefined;
	/** Of its shortest row that was counted. */
	leastColumns: number;
	/** Rows with text in several columns. */
	rowsOfSeveral: number;
}

/** A row that is being read. */
export interface OpenRow extends Row {
	table: OpenTable;
	/** The line with its text; undefined as long as it has none. */
	line: Block | undefined;
	/** How many its cells take so far. */
	columns: number;
	/** Where the current cell begins. */
	column: number;
	filled: number[];
	isOnOneLine: boolean;
}

export function newTable(attributes: Attributes): OpenTable {
	const isLayout = ROLE_OF_LAYOUT.test(attributes.role ?? '');
	return {
		isData: false,
		columns: 0,
		isLayout,
		lastRow: undefined,
		leastColumns: Infinity,
		rowsOfSeveral: 0,
	};
}

export function newRow(table: OpenTable): OpenRow {
	const filled: number[] = [];
	return { table, line: undefined, columns: 0, column: 0, filled, isOnOneLine: true };
}

export function startCell(row: OpenRow, span: string | undefined): void {
	row.column = row.columns;
	const isWide = span !== undefined && DIGIT.test(span);
	row.columns += isWide ? Number(span) : 1;
}

/** Notes the place of a text. On one line, texts of different cells are separated by tabs. */
export function addTextTo(row: OpenRow, line: Block, isFirstOfLine: boolean): void {
	const { table, filled } = row;
	if (row.columns === 0) table.isLayout = true;
	if (row.line === undefined) {
		row.line = line;
		row.isOnOneLine = isFirstOfLine;
		countRow(table);
		table.lastRow = row;
	} else if (row.line !== line) {
		row.isOnOneLine = false;
	}
	// It stands around another one.
	if (table.lastRow !== row) table.isLayout = true;
	if (filled.length > MAX_COLUMNS) table.isLayout = true;
	else if (filled.at(-1) !== row.column) filled.push(row.column);
}

/** Data has several rows of several columns, each on one line. */
export function endTable(table: OpenTable): void {
	countRow(table);
	table.lastRow = undefined;
	const { columns, leastColumns, rowsOfSeveral } = table;
	const isGrid = rowsOfSeveral > 1 && columns <= MAX_COLUMNS;
	const isEven = leastColumns >= columns - MAX_MISSING_CELLS;
	table.isData = !table.isLayout && isGrid && isEven;
}

/** Counts the last row of a table, which has ended. */
function countRow(table: OpenTable): void {
	const row = table.lastRow;
	if (row?.line === undefined || !hasWords(row.line)) return;
	table.columns = Math.max(table.columns, row.columns);
	table.leastColumns = Math.min(table.leastColumns, row.columns);
	if (row.filled.length > 1) table.rowsOfSeveral++;
	if (!row.isOnOneLine) table.isLayout = true;
}
