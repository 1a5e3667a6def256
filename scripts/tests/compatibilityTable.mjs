const BEGIN = '<!-- compatibility: begin, written by "npm test -- usual older compat --report" -->';
const END = '<!-- compatibility: end -->';

/** @type {import('./compatibilityTable.d.mts').compatibilityTable} */
export function compatibilityTable(releases) {
	const rows = Object.values(releases)
		.sort(newestFirst)
		.map(({ n8n, node, compat, e2e }) => `| ${n8n} | ${node} | ${found(compat)} | ${found(e2e)} |`);
	return [
		'| n8n | Node.js for n8n | The main way in it | All tests in it |',
		'| --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

function found(run) {
	return run ? `${run.passed} passed, ${run.failed} failed, ${run.date}` : '';
}

function newestFirst(one, other) {
	return other.n8n.localeCompare(one.n8n, 'en', { numeric: true });
}

/** @type {import('./compatibilityTable.d.mts').withCompatibilityTable} */
export function withCompatibilityTable(page, table) {
	const [before, rest] = page.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error('README.md has no place for the compatibility table.');
	return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
