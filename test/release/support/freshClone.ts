import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../support/n8n/host';

/** Git ignores it. */
const WORKSHOP = join(projectFolder, 'test-results');

/**
 * Copies the files that a clone would contain, without those of `test/`: all that are committed or not ignored, without a build.
 *
 * @param options.installed whether the dependencies are installed in it
 * @returns its folder, to be removed by the caller
 */
export function freshClone({ installed = true } = {}): string {
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
	if (installed) symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
	return folder;
}
