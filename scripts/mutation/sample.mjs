import { spawn } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectFolder as project } from '../setup/project.mjs';
import { drawMutants } from './drawMutants.mjs';

/** Ends endless loops. Processor time, because the machine may do other work. */
const LIMIT_SECONDS = 900;

/** The Jest projects that are tried, the quicker one first. */
const LEVELS = ['unit', 'host'];

/** Large folders that no test of these levels reads. */
const LEFT_OUT = new Set([
	'.bench',
	'.git',
	'dist',
	'hosts',
	'images',
	'node_modules',
	'test-results',
]);

/**
 * Tries some changes, each with all related tests and in a process of its own, so that code that runs while loading is tried,
 * too. The tests of a level run only if those of the level before did not notice the change.
 */
export async function tryMutants({ node, path, count, seed }) {
	const { drawn, all } = await drawMutants(project, path, { count, seed });
	const results = join(project, 'test-results/mutation');
	mkdirSync(results, { recursive: true });
	const log = join(results, `${path.replaceAll(/[/.]/g, '-')}.sample.jsonl`);
	rmSync(log, { force: true });
	const copy = mkdtempSync(join(tmpdir(), 'email-identity-mutants-'));
	copyProject(copy);
	let noticed = 0;
	for (const { content, ...mutant } of drawn) {
		const original = readFileSync(join(copy, mutant.file), 'utf8');
		writeFileSync(join(copy, mutant.file), content);
		const noticedBy = await firstThatNotices(node, copy, mutant.file);
		writeFileSync(join(copy, mutant.file), original);
		if (noticedBy !== null) noticed++;
		appendFileSync(log, `${JSON.stringify({ ...mutant, noticedBy })}\n`);
		process.stdout.write(describe(mutant, noticedBy));
	}
	rmSync(copy, { recursive: true, force: true });
	const share = Math.round((noticed / drawn.length) * 100);
	process.stdout.write(
		`${path}: ${noticed} of ${drawn.length} noticed (${share} %), drawn of ${all} by seed ${seed}\n`,
	);
}

function copyProject(copy) {
	cpSync(project, copy, {
		recursive: true,
		filter: (path) => !LEFT_OUT.has(basename(path)),
	});
	symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
}

/** @returns the level of tests that fail because of the change; null when none does */
async function firstThatNotices(node, copy, file) {
	for (const level of LEVELS) {
		if (!(await passes(node, copy, ['--selectProjects', level, '--findRelatedTests', file]))) {
			return level;
		}
	}
	return null;
}

function passes(node, copy, arguments_) {
	const jest = join(copy, 'node_modules/jest/bin/jest.js');
	const options = ['--runInBand', '--bail', '--silent', '--forceExit', '--passWithNoTests'];
	const limited = ['-c', `ulimit -t ${LIMIT_SECONDS}; exec "$@"`, 'sh'];
	const command = [...limited, node, jest, ...arguments_, ...options];
	const run = spawn('sh', command, {
		cwd: copy,
		stdio: 'ignore',
		env: { ...process.env, TEST_TIMEOUT_MS: '30000' },
	});
	return new Promise((resolve, reject) => {
		run.on('error', reject);
		run.on('close', (code) => resolve(code === 0));
	});
}

function describe({ file, line, mutator, before, after }, noticedBy) {
	if (noticedBy !== null) return `noticed by ${noticedBy}: ${file}:${line} ${mutator}\n`;
	return `NOT NOTICED: ${file}:${line} ${mutator}\n  - ${before}\n  + ${after}\n`;
}
