/** A number for each thing that was counted, in the order of the table. */
export type Numbers = Record<string, number | string>;

/** For the terminal: names, then numbers under each other. */
export function plainTable(numbers: Numbers): string {
	const rows = Object.entries(numbers).map(([name, value]) => [name, shown(value)] as const);
	const [names, values] = [0, 1].map((column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	return rows
		.map(([name, value]) => `  ${name.padEnd(names ?? 0)}  ${value.padStart(values ?? 0)}`)
		.join('\n');
}

export function markdownTable(numbers: Numbers): string {
	const rows = Object.entries(numbers).map(([name, value]) => `| ${name} | ${shown(value)} |`);
	return ['| counted | |', '| --- | ---: |', ...rows].join('\n');
}

/** With a comma at the thousands. */
function shown(value: number | string): string {
	return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}
