import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, installedOnce } from './cache.mjs';
import { npm } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { whileSaying } from './progress.mjs';

/** The Node.js for n8n: n8n 2.x refuses older ones. */
const NODE_VERSION = '24.21.0';

/** @typedef {{ home: string, bin: string }} Node24 its folder, and its program */

/**
 * Returns a Node.js 24 with its headers: the machine's own, or one from npm in the cache.
 *
 * @param {AbortSignal} [signal] stops the installation
 * @returns {Promise<Node24>}
 * @throws {SetupFailure} if npm has no Node for this kind of machine
 */
export async function node24(signal) {
	const own = dirname(dirname(process.execPath));
	if (process.versions.node.startsWith('24.') && isHome(own)) return describe(own);
	const folder = await installedOnce(join(cacheFolder(), `node-${NODE_VERSION}`), (temporary) =>
		install(temporary, signal),
	);
	// The install script of the package puts Node.js here, in a package that is named after the platform.
	const platforms = join(folder, 'node_modules/node/node_modules');
	const home = readdirSync(platforms)
		.map((name) => join(platforms, name))
		.find(isHome);
	if (home) return describe(home);
	throw new SetupFailure(
		`npm has no Node ${NODE_VERSION} for ${process.platform} on ${process.arch}: install Node 24 (https://nodejs.org) and run this again.`,
	);
}

/**
 * @param {string} folder
 * @param {AbortSignal} [signal]
 */
async function install(folder, signal) {
	// Without a package.json, npm would use one in a folder above.
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
	const parameters = ['install', `node@${NODE_VERSION}`, '--ignore-scripts=false'];
	await whileSaying(
		`Installing Node ${NODE_VERSION} for n8n (this machine has ${process.versions.node})`,
		() => npm(parameters, { cwd: folder, signal }),
	);
}

/** Native modules must be built against the headers of the Node that will run them. @param {string} folder */
function isHome(folder) {
	return existsSync(join(folder, 'include/node/node.h'));
}

/** @param {string} home @returns {Node24} */
function describe(home) {
	return { home, bin: join(home, 'bin/node') };
}
