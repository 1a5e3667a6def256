/**
 * Runs n8n's own check of community packages before a release: the rules of `@n8n/scan-community-package`, on the files that it
 * checks in the registry (the packed package) and in the repository (the sources). It does not check the registry and the
 * provenance, because before the release there is nothing to check.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

import { packPackage } from './release/packPackage.mjs';
import { run } from './setup/command.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { projectFolder } from './setup/project.mjs';

const SHIPPED_FILE_PATTERNS = ['**/*.js', 'package.json'];

await runScript(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-scan-'));
	try {
		await unpack(await packPackage(folder), folder);
		const passed = [
			await scan('sources', projectFolder, SOURCE_FILE_PATTERNS),
			await scan('packed package', join(folder, 'package'), SHIPPED_FILE_PATTERNS),
		];
		if (passed.includes(false)) {
			throw new SetupFailure('The scan found something: fix what is listed above.');
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

/** @param {string} tarball @param {string} folder */
async function unpack(tarball, folder) {
	const { code, output } = await run('tar', ['-xzf', tarball, '-C', folder]);
	if (code !== 0) throw new SetupFailure('The packed package cannot be unpacked.', output);
}

/**
 * Analyses a folder and prints the result. A folder without matching files has not passed.
 *
 * @param {string} what
 * @param {string} folder
 * @param {string[]} patterns
 * @returns {Promise<boolean>} whether it passed
 */
async function scan(what, folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	const lookedAt = passed && message === undefined;
	process.stdout.write(`${lookedAt ? 'passed' : 'FAILED'}: ${what}\n`);
	if (!lookedAt) process.stdout.write(`${message}\n${details ?? ''}\n`);
	return lookedAt;
}
