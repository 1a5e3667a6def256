/**
 * Changes the code of a folder in many small ways, and tells which changes no test notices. Takes long; not part of CI.
 *
 *   npm run test:mutation -- api             a folder of nodes/EmailIdentity: api, email, trigger/subscription, trigger/delivery
 *   npm run test:mutation -- email/html      or one within it, or a file
 *
 * A second run looks only at what was changed since; `test-results/mutation/` has the report.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireRecentNode, runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

const SOURCES = 'nodes/EmailIdentity';

/** Whoever runs this wants to go on working meanwhile. */
const PROCESSES = 1;

/** The unit level, and those host tests that take seconds. */
const TESTS = {
	api: ['unit/api', 'unit/shared', 'host/api'],
	email: ['unit/email'],
	'trigger/subscription': ['unit/trigger', 'host/trigger/subscription'],
	'trigger/delivery': ['unit/trigger', 'host/trigger/delivery'],
};

await runScript(async () => {
	requireRecentNode();
	const [folder = ''] = process.argv.slice(2);
	const area = Object.keys(TESTS).find((name) => folder === name || folder.startsWith(`${name}/`));
	if (area === undefined || !existsSync(join(projectFolder, SOURCES, folder))) {
		const known = Object.keys(TESTS).join(', ');
		throw new SetupFailure(`Name a folder: ${known}, or one within these.`);
	}
	await installProject();
	const { bin } = await node24();
	const results = join(projectFolder, 'test-results/mutation');
	mkdirSync(results, { recursive: true });
	const file = join(results, 'stryker.config.json');
	writeFileSync(file, JSON.stringify(configuration(folder, area), undefined, '\t'));
	execFileSync(bin, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file], {
		cwd: projectFolder,
		stdio: 'inherit',
	});
});

/** The Jest projects of these tests, with no others in them. */
function projectsFor(folders) {
	const { projects } = createRequire(import.meta.url)('../jest.config.js');
	return projects.flatMap((project) => {
		const own = folders.filter((folder) => folder.startsWith(`${project.displayName}/`));
		if (own.length === 0) return [];
		const testMatch = own.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);
		return [{ ...project, rootDir: '.', testMatch }];
	});
}

function configuration(folder, area) {
	const name = folder.replaceAll(/[/.]/g, '-');
	const pattern = folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`;
	return {
		mutate: [`${SOURCES}/${pattern}`],
		testRunner: 'jest',
		jest: {
			projectType: 'custom',
			config: { projects: projectsFor(TESTS[area]) },
			enableFindRelatedTests: true,
		},
		coverageAnalysis: 'perTest',
		concurrency: PROCESSES,
		// A machine that does other work as well is no endless loop.
		timeoutMS: 30_000,
		// What is made once, while loading, would take all tests for each change.
		ignoreStatic: true,
		incremental: true,
		incrementalFile: `test-results/mutation/${name}.incremental.json`,
		reporters: ['clear-text', 'progress', 'html'],
		htmlReporter: { fileName: `test-results/mutation/${name}.html` },
		clearTextReporter: { allowColor: false, reportTests: false },
		tempDirName: 'test-results/mutation/sandbox',
		ignorePatterns: ['dist', 'test/hosts', 'test-results', '.bench', 'docs'],
		// Types are checked elsewhere; a mutant need not have any.
		disableTypeChecks: true,
		allowEmpty: false,
	};
}
