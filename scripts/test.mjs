/**
 * Runs all tests, or those named, and sums them up. Installs what is missing.
 *
 *   npm test                          everything usual
 *   npm test -- usual scale           … and the short form of npm run test:scale
 *   npm run test:e2e                  builds the package and tests it in a real n8n 2.x
 *   npm run test:e2e -- deliveries    … only the files whose path contains "deliveries"
 *   npm test -- older                 the same in n8n 1.x
 *   npm run test:compat               the main way in each n8n that is supported; one of them: npm test -- compat-1.100
 *   npm test -- e2e older compat --report
 *                                     … and writes what they found into the README's compatibility table
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireRecentNode, runScript } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { requirePrograms } from './setup/programs.mjs';
import { installProject } from './setup/project.mjs';
import { reportCompatibility } from './tests/reportCompatibility.mjs';
import { runSteps } from './tests/run.mjs';
import { selectSteps } from './tests/steps.mjs';
import { counts, summary } from './tests/summary.mjs';

await runScript(async () => {
	requireRecentNode();
	const { steps, filters, report } = selectSteps(process.argv.slice(2));
	await installProject();
	for (const group of new Set(steps.flatMap(({ programs = [] }) => programs))) {
		await requirePrograms(group);
	}
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-tests-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const results = await runSteps(steps, { folder, filters });
	say(summary(results));
	if (report) {
		const lines = reportCompatibility(results);
		say(`Compatibility written for n8n ${lines.join(' and ') || '(no line: none was tested)'}.`);
	}
	process.stdout.write(`${counts(results)}\n`);
	if (results.some(({ passed }) => !passed)) process.exitCode = 1;
});
