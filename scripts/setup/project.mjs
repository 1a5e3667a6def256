import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedOnce } from './cache.mjs';
import { npm } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { installProgress } from './installProgress.mjs';
import { partOf, writePart } from './lockfilePart.mjs';
import { whileSaying } from './progress.mjs';

export const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const nodeModules = join(projectFolder, 'node_modules');

/**
 * The development dependencies that the demo, the stand-in for the service and the build import. A newcomer need not wait for the
 * others, which check and test, and are most of them.
 */
export const NEEDED_TO_START = [
	'css-tree',
	'dns-packet',
	'entities',
	'flatted',
	'gulp',
	'htmlparser2',
	'mailparser',
	'nodemailer',
	'rolldown',
	'smtp-server',
	'tldts',
	'tsx',
	'zod',
];

/** Installs the development dependencies if they are missing or differ from the lockfile. @returns {Promise<void>} */
export async function installProject() {
	const wanted = lockedPackages();
	if (isInstalled(wanted)) return;
	// npm would delete the content of the linked folder, which belongs to another clone.
	if (lstatSync(nodeModules, { throwIfNoEntry: false })?.isSymbolicLink()) {
		throw new SetupFailure(
			'The folder node_modules is a link to an installation that does not fit package-lock.json. Remove the link and run this again.',
		);
	}
	await whileSaying(
		"Installing the project's development dependencies",
		() => npm(['ci', '--no-audit', '--no-fund'], { cwd: projectFolder }),
		{ progress: installProgress(projectFolder, wanted) },
	);
}

/**
 * Installs what `npm start` and the build need, if it is missing. `installProject` replaces it.
 *
 * @param {AbortSignal} [signal] stops the installation
 * @returns {Promise<void>}
 */
export async function installToStart(signal) {
	const part = partOf(lockedPackages(), NEEDED_TO_START);
	if (isInstalled(part)) return;
	if (lstatSync(nodeModules, { throwIfNoEntry: false })) return await installProject();
	await installedOnce(nodeModules, async (temporary) => {
		const folder = join(temporary, 'part');
		mkdirSync(folder);
		writePart(folder, part, NEEDED_TO_START);
		await whileSaying(
			'Installing what builds the package and starts the demo',
			() =>
				npm(['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
					cwd: folder,
					signal,
				}),
			{ progress: installProgress(folder, part) },
		);
		const installed = join(folder, 'node_modules');
		for (const name of readdirSync(installed)) {
			renameSync(join(installed, name), join(temporary, name));
		}
		rmSync(folder, { recursive: true });
	});
}

/** @returns {import('./lockfilePart.mjs').LockedPackages} */
function lockedPackages() {
	return packagesIn(join(projectFolder, 'package-lock.json'));
}

/**
 * npm keeps a copy of the lockfile beside what it installed; optional packages depend on the platform.
 *
 * @param {import('./lockfilePart.mjs').LockedPackages} wanted
 */
function isInstalled(wanted) {
	const installedFile = join(nodeModules, '.package-lock.json');
	if (!existsSync(installedFile)) return false;
	const installed = packagesIn(installedFile);
	return Object.entries(wanted).every(
		([path, { version, optional }]) =>
			path === '' || installed[path]?.version === version || (optional && !installed[path]),
	);
}

/**
 * @param {string} lockfile
 * @returns {import('./lockfilePart.mjs').LockedPackages}
 */
function packagesIn(lockfile) {
	return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}
