/**
 * Changes the code of a folder in many small ways, and tells which changes no test notices. Takes long; not part of CI.
 *
 *   npm run test:mutation -- api               a folder of nodes/EmailIdentity: api, dns, email, trigger/subscription, trigger/delivery
 *   npm run test:mutation -- email/html        or one within it, or a file
 *   npm run test:mutation -- api --sample 40   forty changes drawn by lot (--seed 2 for others), in a tenth of the time
 *
 * A second whole run looks only at what was changed since; `test-results/mutation/` has the reports.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectsFor, SLOWER_TESTS, SOURCES, TESTS } from './mutation/tests.mjs';
import { requireRecentNode, runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

/** Whoever runs this wants to go on working meanwhile. */
const PROCESSES = 1;

await runScript(async () => {
	requireRecentNode();
	const { folder, sample, seed } = readOptions();
	const area = Object.keys(TESTS).find((name) => folder === name || folder.startsWith(`${name}/`));
	if (area === undefined || !existsSync(join(projectFolder, SOURCES, folder))) {
		const known = Object.keys(TESTS).join(', ');
		throw new SetupFailure(`Name a folder: ${known}, or one within these.`);
	}
	await installProject();
	const { bin } = await node24();
	const results = join(projectFolder, 'test-results/mutation');
	mkdirSync(results, { recursive: true });
	if (sample !== undefined) {
		// Only now is there a Stryker to draw with.
		const { tryMutants } = await import('./mutation/sample.mjs');
		const levels = [...TESTS[area], ...SLOWER_TESTS[area]];
		const lot = { count: sample, seed };
		return await tryMutants({ node: bin, project: projectFolder, results, folder, levels, ...lot });
	}
	const file = join(results, 'stryker.config.json');
	writeFileSync(file, JSON.stringify(configuration(folder, area), undefined, '\t'));
	execFileSync(bin, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file], {
		cwd: projectFolder,
		stdio: 'inherit',
	});
});

function readOptions() {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
		});
		const [folder = ''] = positionals;
		const sample = values.sample === undefined ? undefined : Number(values.sample);
		return { folder, sample, seed: Number(values.seed) };
	} catch (error) {
		throw new SetupFailure(`${error.message}\nKnown options: --sample <count>, --seed <number>.`);
	}
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
