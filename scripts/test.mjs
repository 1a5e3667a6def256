/**
 * Runs the usual tests, or the named ones, and prints a summary. Installs n8n if it is missing.
 *
 *   npm test                          the usual tests, which need only Node.js
 *   npm test -- all                   what `.ci/run` calls; `scripts/tests/steps.mjs` lists all steps
 *   npm run test:e2e -- trigger       only the files whose path contains "trigger"
 *   npm test -- compat-1.100          the main workflow in one of the supported releases of n8n
 *   npm test -- e2e older compat --report
 *                                     … and writes the results into docs/maintainers/verification.md
 *
 * These have options of their own, see their files:
 *
 *   npm test -- load                  queue mode and crashes in full size (`scripts/scale.mjs`)
 *   npm test -- facts 2.41.1          what the code relies on in an n8n (`scripts/hostFacts.mjs`)
 *   npm test -- mutation email        changes of the code that no test notices (`scripts/mutation.mjs`)
 */
import { runScript } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { reportCompatibility } from './tests/reportCompatibility.mjs';
import { runAndSumUp } from './tests/run.mjs';
import { selectSteps } from './tests/steps.mjs';

/** Scripts that a maintainer needs rarely. */
const SCRIPTS = { load: './scale.mjs', facts: './hostFacts.mjs', mutation: './mutation.mjs' };

const [first = '', ...rest] = process.argv.slice(2);
const script = Object.hasOwn(SCRIPTS, first) ? SCRIPTS[first] : undefined;

if (script === undefined) {
	await runScript(runTests);
} else {
	process.argv.splice(2, Infinity, ...rest);
	await import(script);
}

async function runTests() {
	const { steps, filters, report, sizes } = selectSteps(process.argv.slice(2));
	Object.assign(process.env, { ...sizes, ...process.env });
	const results = await runAndSumUp(steps, filters);
	if (report) {
		const versions = reportCompatibility(results);
		say(`Compatibility written for n8n ${versions.join(' and ') || '(none was tested)'}.`);
	}
	if (filters.length > 0 && results.every(({ tests }) => !tests?.passed)) {
		say(`No test passed in a file whose path contains "${filters.join('" or "')}".`);
		process.exitCode = 1;
	}
}
