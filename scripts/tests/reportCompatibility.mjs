import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../setup/project.mjs';

const RUNS = join(projectFolder, 'test/hosts/compatibility.json');
const PAGE = join(projectFolder, 'docs/maintainers/verification.md');

const BEGIN = '<!-- compatibility: begin, written by "npm test -- usual older compat --report" -->';
const END = '<!-- compatibility: end -->';

/** The folders whose tests say whether the package works in an n8n. */
const FOLDERS = ['compat', 'e2e'];

/**
 * @typedef {{ passed: number, failed: number, date: string }} CompleteRun of tests in a real n8n
 * @typedef {{ n8n: string, node: string, compat?: CompleteRun, e2e?: CompleteRun }} TestedRelease versions, and its runs
 */

/**
 * Writes the results of complete runs, failures too, to `test/hosts/compatibility.json`, beside those of other releases, and to the
 * table of `docs/maintainers/verification.md`. What was found in another version of n8n than the pinned one is left out.
 *
 * @param {import('./run.mjs').StepResult[]} results
 * @returns {string[]} the versions of n8n that were written
 */
export function reportCompatibility(results) {
	const complete = results.flatMap(({ folder = '', host, tests }) =>
		FOLDERS.includes(folder) && host && tests ? [{ folder, host, tests }] : [],
	);
	const releases = existsSync(RUNS) ? JSON.parse(readFileSync(RUNS, 'utf8')) : {};
	for (const { folder, host, tests } of complete) {
		const date = new Date().toISOString().slice(0, 10);
		const before = releases[host.release];
		const kept = before?.n8n === host.version ? before : {};
		releases[host.release] = {
			...kept,
			n8n: host.version,
			node: host.nodeVersion,
			[folder]: { ...tests, date },
		};
	}
	writeFileSync(RUNS, `${JSON.stringify(releases, null, '\t')}\n`);
	const page = readFileSync(PAGE, 'utf8');
	writeFileSync(PAGE, withCompatibilityTable(page, releases));
	return [...new Set(complete.map(({ host }) => host.version))];
}

/**
 * Puts the table between the two marks of a page.
 *
 * @param {string} page
 * @param {Record<string, TestedRelease>} releases by their names in `test/hosts`
 */
export function withCompatibilityTable(page, releases) {
	const [before, rest] = page.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error('The page has no place for the compatibility table.');
	const rows = Object.values(releases)
		.sort((one, other) => other.n8n.localeCompare(one.n8n, 'en', { numeric: true }))
		.map(({ n8n, node, compat, e2e }) => `| ${n8n} | ${node} | ${found(compat)} | ${found(e2e)} |`);
	const table = [
		'| n8n | Node.js for n8n | The main way in it | All tests in it |',
		'| --- | --- | --- | --- |',
		...rows,
	].join('\n');
	return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

/** @param {CompleteRun | undefined} run */
function found(run) {
	return run ? `${run.passed} passed, ${run.failed} failed, ${run.date}` : '';
}
