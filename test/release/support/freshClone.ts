import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../support/n8n/host';

/** Git ignores it, and code in it finds the project's own `node_modules`. */
const WORKSHOP = join(projectFolder, 'test-results');

/**
 * Copies the files that a clone would contain: all that are committed or not ignored, without a build.
 *
 * @returns its folder, to be removed by the caller
 */
export function freshClone(): string {
	mkdirSync(WORKSHOP, { recursive: true });
	const folder = mkdtempSync(join(WORKSHOP, 'clone-'));
	const listed = execFileSync(
		'git',
		['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
		{ cwd: projectFolder, encoding: 'utf8' },
	);
	const files = listed.split('\0').filter((file) => file !== '' && !file.startsWith('test/'));
	for (const file of files) {
		const source = join(projectFolder, file);
		if (existsSync(source)) cpSync(source, join(folder, file));
	}
	return folder;
}
