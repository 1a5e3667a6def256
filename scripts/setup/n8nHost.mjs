import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder, installedOnce, pinsIn } from './cache.mjs';
import { npm } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { node24 } from './node24.mjs';
import { installProgress } from './installProgress.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';

/**
 * The releases of n8n in which the package is tested, newest first; a lockfile in `test/hosts/` pins each. The number of a line
 * stands for its newest release that can be installed; the last one is the oldest supported one.
 */
export const RELEASES = ['2', '2.20', '2.0', '1', '1.100'];

/** Without these two n8n does not start; no other package of n8n needs its install script. They may need python3, make and g++. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

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
 * @returns {Promise<Host>}
 * @throws {SetupFailure} if it cannot be installed
 */
export async function n8nHost(release) {
	const pinned = RELEASES.map(pinsOf).find((pins) =>
		[pins.release, pins.version].includes(release),
	);
	if (!pinned && !VERSION.test(release)) {
		throw new SetupFailure(
			`There is no pinned n8n "${release}": there are ${RELEASES.join(', ')}; or name a version, such as 2.41.1.`,
		);
	}
	const { version, name, pins } = pinned ?? { version: release, name: `n8n-${release}` };
	const node = await node24();
	const folder = await installedOnce(join(cacheFolder(), 'hosts', name), (temporary) =>
		install({ pins, folder: temporary, version, node }),
	);
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
 * @param {{ pins?: import('./cache.mjs').Pins, folder: string, version: string, node: import('./node24.mjs').Node24 }} plan
 * @returns {Promise<void>}
 */
async function install({ pins, folder, version, node }) {
	if (pins) {
		pins.copyTo(folder);
	} else {
		const manifest = { private: true, dependencies: { n8n: version } };
		writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	}
	const options = {
		cwd: folder,
		node: node.bin,
		env: {
			PATH: [join(node.home, 'bin'), process.env.PATH].join(delimiter),
			npm_config_nodedir: node.home,
		},
	};
	const command = pins ? 'ci' : 'install';
	await whileSaying(
		`Installing n8n ${version} into ${cacheFolder()}, once for all clones`,
		() =>
			npm([command, '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], options),
		pins && { progress: installProgress(folder, pins.packages) },
	);
	await whileSaying("Building n8n's native modules", () =>
		npm(['rebuild', ...NATIVE_MODULES, '--ignore-scripts=false'], options),
	);
	if (!existsSync(join(folder, 'node_modules/n8n/bin/n8n'))) {
		throw new SetupFailure(`n8n ${version} was installed, but its program is missing.`);
	}
}
