import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../setup/project.mjs';
import { compatibilityTable, withCompatibilityTable } from './compatibilityTable.mjs';

const RUNS = join(projectFolder, 'test/hosts/compatibility.json');
const README = join(projectFolder, 'README.md');

/** The Jest projects whose tests say whether the package works in an n8n. */
const PROJECTS = ['compat', 'e2e'];

/**
 * Writes what complete runs of the tests in a real n8n found, failures too, to `test/hosts/compatibility.json`, beside
 * the runs of others, and to the README's table. What was found in another version of n8n than the one that is
 * pinned now is left out.
 *
 * @param {import('./run.mjs').StepResult[]} results of an unfiltered run
 * @returns {string[]} the versions of n8n that were written
 */
export function reportCompatibility(results) {
	const complete = results.filter(
		({ project, host, tests }) => PROJECTS.includes(project) && host && tests,
	);
	const releases = existsSync(RUNS) ? JSON.parse(readFileSync(RUNS, 'utf8')) : {};
	for (const { project, host, tests } of complete) {
		const date = new Date().toISOString().slice(0, 10);
		const before = releases[host.release];
		const kept = before?.n8n === host.version ? before : {};
		releases[host.release] = {
			...kept,
			n8n: host.version,
			node: host.nodeVersion,
			[project]: { ...tests, date },
		};
	}
	writeFileSync(RUNS, `${JSON.stringify(releases, null, '\t')}\n`);
	const page = readFileSync(README, 'utf8');
	writeFileSync(README, withCompatibilityTable(page, compatibilityTable(releases)));
	return [...new Set(complete.map(({ host }) => host.version))];
}
