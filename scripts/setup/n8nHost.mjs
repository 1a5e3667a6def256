import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder, installedOnce, pinsIn } from './cache.mjs';
import { npm } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { installProgress } from './installProgress.mjs';
import { partOf, writePart } from './lockfilePart.mjs';
import { node24 } from './node24.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';
import { together } from './together.mjs';

/**
 * The releases of n8n in which the package is tested, newest first; a lockfile in `test/hosts/` pins each. The number of a line
 * stands for its newest release that can be installed; the last one is the oldest supported one.
 */
export const RELEASES = ['2', '2.20', '2.0', '1', '1.100'];

/** Without these two n8n does not start; no other package of n8n needs its install script. They may need python3, make and g++. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

/** Where they are built, in the folder that n8n is installed into. */
const BUILDS = 'builds';

const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * @typedef {object} Host an installed n8n
 * @property {string} line `1` or `2`
 * @property {string} release as it was asked for
 * @property {string} version
 * @property {string} folder
 * @property {string} node the program of the Node.js for it
 *
 * @typedef {object} PinnedHost
 * @property {string} release
 * @property {string} version
 * @property {string} name of its folder in the cache
 * @property {import('./cache.mjs').Pins} pins
 */

/**
 * Returns a real n8n, installed into the cache at first use: a pinned one under the hash of its lockfile, another one under its
 * version and with the newest dependencies.
 *
 * @param {string} release one of `RELEASES`, or a version such as `2.41.1`
 * @param {AbortSignal} [signal] stops the installation
 * @returns {Promise<Host>}
 * @throws {SetupFailure} if it cannot be installed
 */
export async function n8nHost(release, signal) {
	const pinned = RELEASES.map(pinsOf).find((pins) =>
		[pins.release, pins.version].includes(release),
	);
	if (!pinned && !VERSION.test(release)) {
		throw new SetupFailure(
			`There is no pinned n8n "${release}": there are ${RELEASES.join(', ')}; or name a version, such as 2.41.1.`,
		);
	}
	const { version, name, pins } = pinned ?? { version: release, name: `n8n-${release}` };
	const folder = await installedOnce(join(cacheFolder(), 'hosts', name), (temporary) =>
		install({ pins, folder: temporary, version, signal }),
	);
	const node = await node24(signal);
	const [line = ''] = version.split('.');
	return { line, release, version, folder, node: node.bin };
}

/** @returns {Promise<string>} the version */
export async function newestN8n() {
	const printed = await npm(['view', 'n8n', 'version', '--loglevel=error'], {
		cwd: projectFolder,
	});
	// npm may also print warnings.
	const version = printed.split('\n').find((line) => VERSION.test(line));
	if (version) return version;
	throw new SetupFailure('The npm registry names no newest n8n.', printed);
}

/**
 * @param {string} release
 * @returns {PinnedHost}
 */
function pinsOf(release) {
	const pins = pinsIn(join(projectFolder, 'test/hosts', `n8n-${release}`));
	const { version = '' } = pins.packages['node_modules/n8n'] ?? {};
	return { release, version, name: `n8n-${release}-${pins.hash}`, pins };
}

/**
 * @typedef {object} Plan
 * @property {import('./cache.mjs').Pins} [pins] absent for a version that no lockfile pins
 * @property {string} folder
 * @property {string} version
 * @property {AbortSignal} [signal]
 */

const WITHOUT_SCRIPTS = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

/** @param {Plan} plan */
async function install(plan) {
	const { pins, folder, version, signal } = plan;
	if (pins) {
		await together(
			(stop) => [installPinned(pins, plan, stop), ...buildModules(pins, plan, stop)],
			signal,
		);
		for (const name of NATIVE_MODULES) putInPlace(name, folder);
	} else {
		await installUnpinned(plan);
	}
	rmSync(join(folder, BUILDS), { recursive: true, force: true });
	if (!existsSync(join(folder, 'node_modules/n8n/bin/n8n'))) {
		throw new SetupFailure(`n8n ${version} was installed, but its program is missing.`);
	}
}

/** @param {string} version */
function activityOf(version) {
	return `Installing n8n ${version} into ${cacheFolder()}, once for all clones`;
}

/**
 * @param {import('./cache.mjs').Pins} pins
 * @param {Plan} plan
 * @param {AbortSignal} signal
 */
async function installPinned(pins, { folder, version }, signal) {
	pins.copyTo(folder);
	await whileSaying(
		activityOf(version),
		() => npm(['ci', ...WITHOUT_SCRIPTS], { cwd: folder, signal }),
		{ progress: installProgress(folder, pins.packages) },
	);
}

/**
 * Builds the native modules in folders of their own, while npm installs n8n.
 *
 * @param {import('./cache.mjs').Pins} pins
 * @param {Plan} plan
 * @param {AbortSignal} signal
 * @returns {Promise<void>[]} one for each
 */
function buildModules({ packages }, { folder }, signal) {
	const node = node24(signal);
	const names = NATIVE_MODULES.filter((name) => packages[`node_modules/${name}`]);
	return names.map(async (name) => {
		const { home, bin } = await node;
		const place = join(folder, BUILDS, name);
		mkdirSync(place, { recursive: true });
		writePart(place, partOf(packages, [name]), [name]);
		await whileSaying(`Building ${name} for n8n`, () =>
			npm(['ci', ...WITHOUT_SCRIPTS, '--ignore-scripts=false'], {
				cwd: place,
				node: bin,
				env: buildEnvironment(home),
				signal,
			}),
		);
	});
}

/**
 * Replaces a package that was installed without a build with the same one that was built.
 *
 * @param {string} name
 * @param {string} folder
 */
function putInPlace(name, folder) {
	const built = join(folder, BUILDS, name, 'node_modules', name);
	if (!existsSync(built)) return;
	const place = join(folder, 'node_modules', name);
	rmSync(place, { recursive: true, force: true });
	renameSync(built, place);
}

/** @param {Plan} plan */
async function installUnpinned({ folder, version, signal }) {
	const manifest = { private: true, dependencies: { n8n: version } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const { home, bin } = await node24(signal);
	const options = { cwd: folder, node: bin, env: buildEnvironment(home), signal };
	await whileSaying(activityOf(version), () => npm(['install', ...WITHOUT_SCRIPTS], options));
	await whileSaying("Building n8n's native modules", () =>
		npm(['rebuild', ...NATIVE_MODULES, '--ignore-scripts=false'], options),
	);
}

/** Native modules must be built against the Node.js that will run them. @param {string} home its folder */
function buildEnvironment(home) {
	return {
		PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
		npm_config_nodedir: home,
		JOBS: 'max',
	};
}
