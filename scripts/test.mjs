/**
 * Runs all tests, or those named, and sums them up. Installs n8n where it is missing.
 *
 *   npm test                          all that needs nothing but Node
 *   npm test -- usual dns checks      more of them; `scripts/tests/steps.mjs` lists all
 *   npm run test:e2e -- lifecycle     only the files whose path contains "lifecycle"
 *   npm test -- compat-1.100          the main workflow in one of the supported releases of n8n
 *   npm test -- e2e older compat --report
 *                                     … and writes the results into the README's compatibility table
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { requirePrograms } from './setup/programs.mjs';
import { installProject } from './setup/project.mjs';
import { reportCompatibility } from './tests/reportCompatibility.mjs';
import { runSteps } from './tests/run.mjs';
import { selectSteps } from './tests/steps.mjs';
import { counts, summary } from './tests/summary.mjs';

await runScript(async () => {
	const { steps, filters, report } = selectSteps(process.argv.slice(2));
	requirePrograms(steps.flatMap(({ programs = [] }) => programs));
	await installProject();
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-tests-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const results = await runSteps(steps, { folder, filters });
	say(summary(results));
	if (report) {
		const lines = reportCompatibility(results);
		say(`Compatibility written for n8n ${lines.join(' and ') || '(no line: none was tested)'}.`);
	}
	process.stdout.write(`${counts(results)}\n`);
	const noneMatched = filters.length > 0 && results.every(({ tests }) => !tests?.passed);
	if (noneMatched) say(`No test passed in a file whose path contains "${filters.join('" or "')}".`);
	if (noneMatched || results.some(({ passed }) => !passed)) process.exitCode = 1;
});
