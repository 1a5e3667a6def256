import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { whileSaying } from './progress.mjs';

const MARKER = '.complete';
const LOOK_AGAIN_MS = 500;

/** The user's cache folder of this project, where what takes minutes to install is kept between clones. */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-email-identity');
}

/**
 * Gives a folder of the cache, installed at first use. Half an installation is never taken for a whole
 * one (it is made under another name, marked, then renamed), and two processes do not install at once.
 *
 * @param {string} folder the folder's final place
 * @param {(temporary: string) => Promise<void>} install fills an empty folder
 * @returns {Promise<string>} the folder
 */
export async function installedOnce(folder, install) {
	const complete = () => existsSync(join(folder, MARKER));
	if (complete()) return folder;
	mkdirSync(dirname(folder), { recursive: true });
	const unlock = await lock(`${folder}.lock`);
	try {
		if (complete()) return folder;
		removeLeftovers(folder);
		const temporary = join(dirname(folder), `.installing-${basename(folder)}-${process.pid}`);
		mkdirSync(temporary);
		try {
			await install(temporary);
			writeFileSync(join(temporary, MARKER), '');
			renameSync(temporary, folder);
		} finally {
			rmSync(temporary, { recursive: true, force: true });
		}
		return folder;
	} finally {
		unlock();
	}
}

/**
 * What a lockfile pins, as a folder of the repository holds it with its package.json.
 *
 * @param {string} folder
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

/** What an installation that was killed left behind; safe to remove, as the lock is held. */
function removeLeftovers(folder) {
	const prefix = `.installing-${basename(folder)}-`;
	const leftovers = readdirSync(dirname(folder)).filter((name) => name.startsWith(prefix));
	for (const name of leftovers)
		rmSync(join(dirname(folder), name), { recursive: true, force: true });
	rmSync(folder, { recursive: true, force: true });
}

/** Takes a lock file that names its owner; one whose owner is dead is taken over. */
async function lock(file) {
	const unlock = () => rmSync(file, { force: true });
	const take = () => {
		if (!tryLock(file)) return false;
		process.once('exit', unlock);
		return true;
	};
	if (!take()) {
		await whileSaying('Waiting for another process that is installing the same', async () => {
			while (!take()) await pause(LOOK_AGAIN_MS);
		});
	}
	return () => {
		process.off('exit', unlock);
		unlock();
	};
}

function tryLock(file) {
	const mine = `${file}.${process.pid}`;
	writeFileSync(mine, String(process.pid));
	try {
		// A hard link appears with its content, so a lock always has an owner.
		linkSync(mine, file);
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (!ownerLives(file)) rmSync(file, { force: true });
		return false;
	} finally {
		rmSync(mine, { force: true });
	}
}

function ownerLives(file) {
	try {
		process.kill(Number(readFileSync(file, 'utf8')), 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
