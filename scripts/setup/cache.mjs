import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * The cache folder of this project for this user: all clones share what takes minutes to install.
 *
 * @returns {string}
 */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-email-identity');
}

/**
 * Returns a folder of the cache, installed at first use. It gets its name when it is complete. If two processes install it at the
 * same time, the first result is used.
 *
 * @param {string} folder its path
 * @param {(temporary: string) => Promise<void>} install fills an empty folder
 * @returns {Promise<string>} its path
 */
export async function installedOnce(folder, install) {
	if (existsSync(folder)) return folder;
	mkdirSync(dirname(folder), { recursive: true });
	removeInterrupted(folder);
	const temporary = `${folder}.installing-${process.pid}`;
	mkdirSync(temporary);
	try {
		await install(temporary);
		renameSync(temporary, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	} finally {
		removeFolder(temporary);
	}
	return folder;
}

/** A compiler that was stopped may still be writing into it; then the next installation removes it. @param {string} folder */
function removeFolder(folder) {
	try {
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTEMPTY') throw error;
	}
}

/** @param {string} folder */
function removeInterrupted(folder) {
	for (const name of readdirSync(dirname(folder))) {
		const [, id] = name.split(`${basename(folder)}.installing-`);
		const isInterrupted = id && (Number(id) === process.pid || !isRunning(Number(id)));
		if (isInterrupted) rmSync(join(dirname(folder), name), { recursive: true, force: true });
	}
}

/** @param {number} id */
function isRunning(id) {
	try {
		return process.kill(id, 0);
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

/**
 * @typedef {object} Pins what a lockfile pins
 * @property {string} hash of the lockfile, short
 * @property {import('./lockfilePart.mjs').LockedPackages} packages
 * @property {(target: string) => void} copyTo copies package.json and the lockfile into a folder
 */

/**
 * The packages that the lockfile in a folder of the repository pins.
 *
 * @param {string} folder
 * @returns {Pins}
 */
export function pinsIn(folder) {
	const lockfile = readFileSync(join(folder, 'package-lock.json'));
	return {
		hash: createHash('sha256').update(lockfile).digest('hex').slice(0, 16),
		packages: JSON.parse(lockfile.toString()).packages,
		copyTo(target) {
			for (const file of ['package.json', 'package-lock.json']) {
				copyFileSync(join(folder, file), join(target, file));
			}
		},
	};
}
