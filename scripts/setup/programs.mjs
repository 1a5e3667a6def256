import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupFailure } from './failure.mjs';

/** Program → the Debian package that contains it. */
const PACKAGES = {
	'redis-server': 'redis-server',
	postgres: 'postgresql',
	initdb: 'postgresql',
	nsd: 'nsd',
	'nsd-control': 'nsd',
	dnsdist: 'dnsdist',
	openssl: 'openssl',
	chromium: 'chromium',
	caddy: 'caddy',
};

/** Programs that have several names. */
const NAMES = { chromium: ['chromium', 'chromium-browser', 'google-chrome', 'chrome'] };

const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

/** Servers are in these folders, which only root has on the PATH. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

/** @typedef {keyof typeof PACKAGES} Program */

/**
 * @param {Program} name
 * @returns {string} its path
 * @throws {SetupFailure} if it is not installed
 */
export function findProgram(name) {
	requirePrograms([name]);
	return pathOf(name) ?? name;
}

/**
 * @param {readonly Program[]} names
 * @throws {SetupFailure} that names all that are missing, and says how to install them
 */
export function requirePrograms(names) {
	const missing = [...new Set(names)].filter((name) => pathOf(name) === undefined);
	if (missing.length === 0) return;
	const packages = [...new Set(missing.map((name) => PACKAGES[name]))];
	const [noun, pronoun] = missing.length > 1 ? ['programs', 'them'] : ['program', 'it'];
	throw new SetupFailure(
		`This needs the ${noun} ${missing.join(', ')}: install ${pronoun} (Debian: RUNLEVEL=1 apt-get install ${packages.join(' ')}) and run this again.`,
	);
}

/** @param {Program} name @returns {string | undefined} */
function pathOf(name) {
	if (name === 'chromium' && process.env.CHROME_PATH) return process.env.CHROME_PATH;
	const names = NAMES[name] ?? [name];
	const folders = [
		...(process.env.PATH ?? '').split(delimiter),
		...SYSTEM_FOLDERS,
		...postgresql(),
	];
	return folders.flatMap((folder) => names.map((each) => join(folder, each))).find(isExecutable);
}

/** Debian keeps PostgreSQL's programs off the PATH, in a folder for each version. @returns {string[]} */
function postgresql() {
	if (!existsSync(DEBIAN_POSTGRESQL)) return [];
	const newestFirst = readdirSync(DEBIAN_POSTGRESQL).sort((a, b) => Number(b) - Number(a));
	return newestFirst.map((version) => join(DEBIAN_POSTGRESQL, version, 'bin'));
}

/** @param {string} path */
function isExecutable(path) {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
