import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPackage } from '../release/packPackage.mjs';
import { n8nHost } from '../setup/n8nHost.mjs';
import { say } from '../setup/progress.mjs';
import { projectFolder } from '../setup/project.mjs';

/**
 * @typedef {object} StepResult
 * @property {string} name
 * @property {boolean} passed
 * @property {number} milliseconds
 * @property {string} [project] the Jest project, for a test run
 * @property {{ passed: number, failed: number }} [tests] only for a test run
 * @property {{ release: string, version: string, nodeVersion: string }} [host] the n8n that it ran in
 * @property {string} [reason] why it did not run
 */

/**
 * Runs steps one after the other; a failed one does not keep the others from running.
 *
 * @param {import('./steps.mjs').Step[]} steps
 * @param {{ folder: string, filters: string[] }} options a temporary folder, and parts of test file paths
 * @returns {Promise<StepResult[]>}
 */
export async function runSteps(steps, options) {
	const results = [];
	for (const step of steps) {
		say(`\n=== ${step.title} ===`);
		const start = performance.now();
		const result = await runStep(step, results, options);
		results.push({ name: step.name, ...result, milliseconds: performance.now() - start });
	}
	return results;
}

async function runStep(step, results, options) {
	const broken = (step.needs ?? []).find((needed) =>
		results.some(({ name, passed }) => name === needed && !passed),
	);
	if (broken) return { passed: false, reason: `not run, as ${broken} failed` };
	try {
		if (step.pack) return await runPack(options);
		return await (step.project ? runJest(step, options) : runNpm(step));
	} catch (error) {
		say(`${error.details ?? ''}\n${error.message}`);
		return { passed: false, reason: error.message };
	}
}

async function runNpm({ script }) {
	const code = await show('npm', ['--silent', ...script]);
	return { passed: code === 0 };
}

async function runPack({ folder }) {
	await packPackage(folder);
	return { passed: true };
}

async function runJest({ name, project, release, atATime, environment }, { folder, filters }) {
	const host = release ? describe(await n8nHost(release)) : undefined;
	const outputFile = join(folder, `${name}.json`);
	const code = await show(
		process.execPath,
		[
			join(projectFolder, 'node_modules/jest/bin/jest.js'),
			'--selectProjects',
			project,
			'--json',
			`--outputFile=${outputFile}`,
			// What a failed test left open must not keep the run from ending.
			...(atATime === undefined ? [] : [`--maxWorkers=${atATime}`, '--forceExit']),
			// With several test runs, a filter need not concern all of them.
			...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
		],
		{ ...(release ? { N8N_RELEASE: release } : {}), ...environment, ...packedIn(folder) },
	);
	const tests = readCounts(outputFile);
	// Reports are on n8n as it comes.
	return environment ? { passed: code === 0, tests } : { passed: code === 0, project, host, tests };
}

function describe({ release, version, node }) {
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
	return { release, version, nodeVersion };
}

/** Tells the tests which tarball to install, so that the package is built once for all of them. */
function packedIn(folder) {
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	return tarball ? { EMAIL_IDENTITY_PACKAGE: join(folder, tarball) } : {};
}

/** A test file that could not even be loaded counts as one failed test. */
function readCounts(outputFile) {
	if (!existsSync(outputFile)) return { passed: 0, failed: 1 };
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
		readFileSync(outputFile, 'utf8'),
	);
	return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Runs a program whose output goes to the terminal. */
function show(program, parameters, environment = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, parameters, {
			cwd: projectFolder,
			env: { ...process.env, ...environment },
			// Standard output stays for the counts.
			stdio: ['ignore', 2, 2],
		});
		const stop = () => child.kill('SIGTERM');
		process.once('exit', stop);
		child.once('error', reject);
		child.once('close', (code) => {
			process.off('exit', stop);
			resolve(code ?? 1);
		});
	});
}
