/** A table of text as rows: one a line, with `|` between its cells. */
export const rows = <T extends string[] = string[]>(table: string): T[] =>
	table
		.trim()
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()) as T);
