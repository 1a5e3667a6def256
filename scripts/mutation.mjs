/**
 * Changes the code of a folder or file in many small places, and lists the changes that no test notices (Stryker). Not part of CI.
 *
 *   npm test -- mutation email/mime          a path in lib/ or nodes/EmailIdentity/, with the unit tests of that path
 *   npm test -- mutation api/requests/retry.ts        one file
 *   npm test -- mutation email/mime --tests email   with the unit tests of another path
 *
 * `test-results/mutation/` has the report.
 */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from './setup/command.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { readCommandLine } from './setup/options.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

const { projects } = createRequire(import.meta.url)('../jest.config.js');

const unitTests = projects.find(({ displayName }) => displayName === 'unit');

/** A change can make a test run for ever. */
const TEST_TIMEOUT_MS = '30000';

await runScript(async () => {
	const { values, positionals } = readCommandLine({ tests: { type: 'string' } }, true);
	const [name = ''] = positionals;
	const path = sourceOf(name);
	await installProject();
	// Stryker needs a newer Node.js than the project.
	const { bin: node } = await node24();
	const folder = join(projectFolder, 'test-results/mutation');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, 'stryker.json');
	writeFileSync(file, JSON.stringify(configFor(path, values.tests ?? name, folder)));
	const stryker = join(projectFolder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const { code } = await run(node, [stryker, 'run', file], {
		cwd: projectFolder,
		env: { ...process.env, TEST_TIMEOUT_MS },
		stdio: 'inherit',
	});
	process.exitCode = code;
});

/** @param {string} name of a folder or file @returns {string} its path in the project */
function sourceOf(name) {
	const path = ['lib', 'nodes/EmailIdentity']
		.map((folder) => join(folder, name))
		.find((place) => name !== '' && existsSync(join(projectFolder, place)));
	if (path !== undefined) return path;
	throw new SetupFailure('Name a folder or file in lib/ or nodes/EmailIdentity/, such as email.');
}

/**
 * @param {string} path what is changed
 * @param {string} tests the path of its unit tests
 * @param {string} folder for the report
 */
function configFor(path, tests, folder) {
	const isFolder = statSync(join(projectFolder, path)).isDirectory();
	const testPath = tests.replace(/\.ts$/, '');
	return {
		mutate: [isFolder ? `${path}/**/*.ts` : path],
		testRunner: 'jest',
		jest: {
			config: {
				...unitTests,
				testMatch: [`<rootDir>/test/unit/**/${testPath}{.test.ts,/**/*.test.ts}`],
				// Instead of all projects of `jest.config.js`.
				projects: [],
			},
			enableFindRelatedTests: false,
		},
		coverageAnalysis: 'perTest',
		ignorePatterns: ['/.bench', '/dist', '/docs/images', '/test/hosts', '/test-results'],
		reporters: ['clear-text', 'progress', 'html'],
		htmlReporter: { fileName: join(folder, 'report.html') },
		tempDirName: join(folder, 'sandbox'),
		cleanTempDir: 'always',
	};
}
