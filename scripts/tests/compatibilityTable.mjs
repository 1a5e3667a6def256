const BEGIN = '<!-- compatibility: begin, written by "npm test -- --report" -->';
const END = '<!-- compatibility: end -->';

/** @type {import('./compatibilityTable.d.mts').compatibilityTable} */
export function compatibilityTable(runs) {
	const rows = Object.entries(runs)
		.sort(([one], [other]) => Number(other) - Number(one))
		.map(
			([line, { n8n, node, passed, failed, date }]) =>
				`| ${line}.x, tested with ${n8n} | ${node} | ${passed} passed, ${failed} failed, ${date} |`,
		);
	return ['| n8n | Node.js for n8n | Tests in it |', '| --- | --- | --- |', ...rows].join('\n');
}

/** @type {import('./compatibilityTable.d.mts').withCompatibilityTable} */
export function withCompatibilityTable(page, table) {
	const [before, rest] = page.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error('README.md has no place for the compatibility table.');
	return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
