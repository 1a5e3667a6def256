import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { installProgress } from './installProgress.mjs';
import { whileSaying } from './progress.mjs';

export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Installs the development dependencies if they are missing or differ from the lockfile. @returns {Promise<void>} */
export async function installProject() {
	if (isInstalled()) return;
	const folder = join(projectFolder, 'node_modules');
	// npm would delete the content of the linked folder, which belongs to another clone.
	if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
		throw new SetupFailure(
			'The folder node_modules is a link to an installation that does not fit package-lock.json. Remove the link and run this again.',
		);
	}
	await whileSaying(
		"Installing the project's development dependencies",
		() => npm(['ci', '--no-audit', '--no-fund'], { cwd: projectFolder }),
		{
			progress: installProgress(
				projectFolder,
				packagesIn(join(projectFolder, 'package-lock.json')),
			),
		},
	);
}

/** npm keeps a copy of the lockfile beside what it installed; optional packages depend on the platform. */
function isInstalled() {
	const installedFile = join(projectFolder, 'node_modules/.package-lock.json');
	if (!existsSync(installedFile)) return false;
	const installed = packagesIn(installedFile);
	const wanted = packagesIn(join(projectFolder, 'package-lock.json'));
	return Object.entries(wanted).every(
		([path, { version, optional }]) =>
			path === '' || installed[path]?.version === version || (optional && !installed[path]),
	);
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version: string, optional?: boolean }>} by their place
 */
function packagesIn(lockfile) {
	return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}
