import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './command.mjs';
import { whileSaying } from './progress.mjs';

/** The folder of this clone. */
export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Installs the project's own development dependencies where they are missing or are not what the lockfile says. */
export async function installProject() {
	if (isInstalled()) return;
	await whileSaying(
		"Installing the project's development dependencies",
		() => npm(['ci', '--no-audit', '--no-fund'], { cwd: projectFolder }),
		{ usually: '1 min' },
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

function packagesIn(lockfile) {
	return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}
