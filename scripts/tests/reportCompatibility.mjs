import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../setup/project.mjs';
import { compatibilityTable, withCompatibilityTable } from './compatibilityTable.mjs';

const RUNS = join(projectFolder, 'test/hosts/compatibility.json');
const README = join(projectFolder, 'README.md');

/** The Jest project whose tests say whether the package works in an n8n. */
const PROJECT = 'e2e';

/**
 * Writes what complete runs of the e2e tests found, failures too, to `test/hosts/compatibility.json`, beside
 * the runs of the other line, and to the README's table.
 *
 * @param {import('./run.mjs').StepResult[]} results of an unfiltered run
 * @returns {string[]} the lines of n8n that were written
 */
export function reportCompatibility(results) {
	const complete = results.filter(
		({ project, host, tests }) => project === PROJECT && host && tests,
	);
	const runs = existsSync(RUNS) ? JSON.parse(readFileSync(RUNS, 'utf8')) : {};
	for (const { host, tests } of complete) {
		const date = new Date().toISOString().slice(0, 10);
		runs[host.line] = { n8n: host.version, node: host.nodeVersion, ...tests, date };
	}
	writeFileSync(RUNS, `${JSON.stringify(runs, null, '\t')}\n`);
	const page = readFileSync(README, 'utf8');
	writeFileSync(README, withCompatibilityTable(page, compatibilityTable(runs)));
	return complete.map(({ host }) => host.line);
}
