/**
 * Changes the code of a folder or file in many small places, and lists the changes that no test notices (Stryker). Not part of CI.
 *
 *   npm test -- mutation email/mime          a path in lib/ or nodes/EmailIdentity/, with the unit tests of that path
 *   npm test -- mutation api/requests/retry.ts        one file
 *   npm test -- mutation email/mime --tests email   with the unit tests of another path
 *   npm test -- mutation operations/message/question --tests sendAndWait --project host   … or in n8n-core's contexts
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

/** A change can make a test run for ever. */
const TEST_TIMEOUT_MS = '30000';

await runScript(async () => {
	const { values, positionals } = readCommandLine(
		{ tests: { type: 'string' }, project: { type: 'string', default: 'unit' } },
		true,
	);
	const [name = ''] = positionals;
	const path = sourceOf(name);
	await installProject();
	// Stryker needs a newer Node.js than the project.
	const { bin: node } = await node24();
	const folder = join(projectFolder, 'test-results/mutation');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, 'stryker.json');
	writeFileSync(
		file,
		JSON.stringify(configFor(path, testsOf(values.project, values.tests ?? name), folder)),
	);
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
 * @param {string} name of a Jest project whose tests are in the folder of that name
 * @param {string} path of its tests
 * @returns {object} the Jest project with those tests alone
 */
function testsOf(name, path) {
	const project = projects.find(({ displayName }) => displayName === name);
	if (project === undefined) throw new SetupFailure(`There are no ${name} tests.`);
	const test = path.replace(/\.ts$/, '');
	return { ...project, testMatch: [`<rootDir>/test/${name}/**/${test}{.test.ts,/**/*.test.ts}`] };
}

/**
 * @param {string} path what is changed
 * @param {object} jestProject that has its tests
 * @param {string} folder for the report
 */
function configFor(path, jestProject, folder) {
	const isFolder = statSync(join(projectFolder, path)).isDirectory();
	return {
		mutate: [isFolder ? `${path}/**/*.ts` : path],
		testRunner: 'jest',
		jest: {
			config: {
				...jestProject,
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
