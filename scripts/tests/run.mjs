import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packPackage } from '../release/packPackage.mjs';
import { run } from '../setup/command.mjs';
/** @typedef {import('../setup/failure.mjs').SetupFailure} SetupFailure */
import { n8nHost } from '../setup/n8nHost.mjs';
import { requirePrograms } from '../setup/programs.mjs';
import { say } from '../setup/progress.mjs';
import { installProject, projectFolder } from '../setup/project.mjs';
import { arrange } from './steps.mjs';
import { counts, summary } from './summary.mjs';

/**
 * @typedef {object} StepResult
 * @property {string} name
 * @property {boolean} passed
 * @property {number} milliseconds
 * @property {string} [folder] the folder of `test/`, for a test run in n8n as it comes
 * @property {{ passed: number, failed: number }} [tests] only for a test run
 * @property {{ release: string, version: string, nodeVersion: string }} [host] the n8n that it ran in
 * @property {string} [reason] why it did not run
 */

const WORKERS = 2;

/**
 * Runs steps and prints a summary. Tests in n8n mostly wait for it, so that the other steps run beside them; neighbours that may
 * run together do. A failed build stops only the steps that need it. Sets the exit code.
 *
 * @param {import('./steps.mjs').Step[]} steps
 * @param {string[]} [filters] parts of test file paths
 * @returns {Promise<StepResult[]>}
 * @throws {SetupFailure} if a program is missing
 */
export async function runAndSumUp(steps, filters = []) {
	requirePrograms(steps.flatMap(({ programs = [] }) => programs));
	await installProject();
	const folder = mkdtempSync(join(tmpdir(), 'email-identity-tests-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const options = { folder, filters };
	const { first, atOnce } = arrange(steps);
	const built = await runInOrder(first, options, []);
	const ran = await Promise.all(atOnce.map((lane) => runInOrder(lane, options, built)));
	const results = [...built, ...ran.flat()];
	say(summary(results));
	process.stdout.write(`${counts(results)}\n`);
	if (results.some(({ passed }) => !passed)) process.exitCode = 1;
	return results;
}

/**
 * @param {import('./steps.mjs').Step[]} steps
 * @param {RunOptions} options
 * @param {StepResult[]} before results of earlier steps
 * @returns {Promise<StepResult[]>} those of these steps
 */
async function runInOrder(steps, options, before) {
	/** @type {StepResult[]} */
	const results = [];
	for (const group of groupsOf(steps)) {
		say(`\n=== ${group.map(({ title }) => title).join(' + ')} ===`);
		const start = performance.now();
		const done = await runGroup(group, before, options);
		results.push(...done.map((result) => ({ milliseconds: performance.now() - start, ...result })));
	}
	return results;
}

/** @param {import('./steps.mjs').Step[]} steps @returns {Group[]} */
function groupsOf(steps) {
	/** @type {Group[]} */
	const groups = [];
	for (const step of steps) {
		const group = groups.at(-1);
		if (group && step.together && group[0]?.together === step.together) group.push(step);
		else groups.push([step]);
	}
	return groups;
}

/**
 * @typedef {[import('./steps.mjs').Step, ...import('./steps.mjs').Step[]]} Group steps that run together
 * @typedef {{ folder: string, filters: string[] }} RunOptions a folder for results, and parts of test file paths
 * @typedef {Omit<StepResult, 'milliseconds'> & { milliseconds?: number }} Outcome
 */

/**
 * @param {Group} group
 * @param {StepResult[]} results of the steps before
 * @param {RunOptions} options
 * @returns {Promise<Outcome[]>}
 */
async function runGroup(group, results, options) {
	const [{ pack, project, release }] = group;
	const isBuildBroken = results.some(({ name, passed }) => name === 'build' && !passed);
	const failed = (/** @type {string} */ reason) =>
		group.map(({ name }) => ({ name, passed: false, reason }));
	if (release && isBuildBroken) return failed('not run, because build failed');
	try {
		if (pack) await packPackage(options.folder);
		if (pack) return group.map(({ name }) => ({ name, passed: true }));
		return await (project ? runJest(group, options) : Promise.all(group.map(runProgram)));
	} catch (caught) {
		const error = /** @type {SetupFailure} */ (caught);
		say(`${error.details ?? ''}\n${error.message}`);
		return failed(error.message);
	}
}

/** @param {import('./steps.mjs').Step} step @returns {Promise<Outcome>} */
async function runProgram({ name, program = [] }) {
	const start = performance.now();
	const code = await show(program);
	return { name, passed: code === 0, milliseconds: performance.now() - start };
}

/**
 * @param {Group} group test runs
 * @param {RunOptions} options
 * @returns {Promise<Outcome[]>}
 */
async function runJest(group, { folder, filters }) {
	const [{ name, release, environment }] = group;
	const host = release ? describe(await n8nHost(release)) : undefined;
	const outputFile = join(folder, `${name}.json`);
	const code = await show(commandOf(group, outputFile, filters), {
		...(release && { N8N_RELEASE: release }),
		...environment,
		...packedIn(folder),
	});
	const files = readFiles(outputFile);
	const all = group.map((step) => ({ step, tests: countTests(files, folderOf(step)) }));
	const isExplained = all.some(({ tests }) => tests.failed > 0);
	const outcomes = [];
	for (const { step, tests } of all) {
		const { passed, failed, milliseconds } = tests;
		/** @type {Outcome} */
		const outcome = {
			name: step.name,
			passed: failed === 0 && (code === 0 || isExplained),
			tests: { passed, failed },
		};
		if (group.length > 1) outcome.milliseconds = milliseconds;
		// Reports are about n8n as it comes.
		if (environment === undefined)
			Object.assign(outcome, { folder: step.folder ?? step.project, host });
		outcomes.push(outcome);
	}
	return outcomes;
}

/**
 * @param {Group} group
 * @param {string} outputFile
 * @param {string[]} filters
 */
function commandOf(group, outputFile, filters) {
	const [{ workers = WORKERS, verbose }] = group;
	const command = [
		'node_modules/jest/bin/jest.js',
		'--selectProjects',
		...new Set(group.map(({ project = '' }) => project)),
		'--json',
		`--outputFile=${outputFile}`,
		`--maxWorkers=${workers}`,
	];
	if (verbose) command.push('--verbose');
	// The filter may be about another one of several test runs.
	if (filters.length > 0) command.push('--passWithNoTests');
	command.push(...group.flatMap((step) => pathPatterns(step, filters)));
	return command;
}

/** @param {import('./steps.mjs').Step} step */
function folderOf({ project = '', folder = project }) {
	return join('test', folder, '/');
}

/**
 * Jest runs the files whose path matches one of these.
 *
 * @param {import('./steps.mjs').Step} step
 * @param {string[]} filters
 */
function pathPatterns(step, filters) {
	const inFolder = `.*/${folderOf(step)}`;
	if (filters.length === 0) return [inFolder];
	return filters.map((word) => `^(?=.*${word})${inFolder}`);
}

/** @param {import('../setup/n8nHost.mjs').Host} host */
function describe({ release, version, node }) {
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
	return { release, version, nodeVersion };
}

/** Tells the tests which tarball to install, so that the package is built once. @param {string} folder @returns {Record<string, string>} */
function packedIn(folder) {
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	return tarball ? { EMAIL_IDENTITY_PACKAGE: join(folder, tarball) } : {};
}

/** @param {string} outputFile */
function readFiles(outputFile) {
	if (!existsSync(outputFile)) return [];
	return JSON.parse(readFileSync(outputFile, 'utf8')).testResults;
}

/**
 * A test file that could not be loaded counts as a failed test.
 *
 * @param {any[]} files Jest's results
 * @param {string} folder
 */
function countTests(files, folder) {
	const counts = { passed: 0, failed: 0, milliseconds: 0 };
	for (const { name, status, assertionResults, startTime, endTime } of files) {
		if (!relative(projectFolder, name).startsWith(folder)) continue;
		const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
		counts.passed += count('passed');
		counts.failed += Math.max(count('failed'), status === 'failed' ? 1 : 0);
		counts.milliseconds += endTime - startTime;
	}
	return counts;
}

/**
 * Runs a program of Node.js.
 *
 * @param {readonly string[]} program
 * @param {Record<string, string>} environment
 * @returns {Promise<number>} its exit code
 */
async function show(program, environment = {}) {
	const { code } = await run(process.execPath, program, {
		cwd: projectFolder,
		env: { ...process.env, ...environment },
		// Standard output stays for the counts.
		stdio: ['ignore', 2, 2],
	});
	return code;
}
