import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Debian keeps PostgreSQL's programs off the PATH, one folder a version. */
const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

/** Servers are there that only root has on the PATH. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

/** Program → the Debian package that brings it. */
const PACKAGES = {
	'redis-server': 'redis-server',
	postgres: 'postgresql',
	initdb: 'postgresql',
	nsd: 'nsd',
	'nsd-control': 'nsd',
	dnsdist: 'dnsdist',
} as const;

export type Program = keyof typeof PACKAGES;

/** What n8n's queue mode stands on. */
export const QUEUE_MODE: readonly Program[] = ['redis-server', 'postgres', 'initdb'];

/** The DNS of the tests: a server with zones, and what speaks HTTP before it. */
export const DNS: readonly Program[] = ['nsd', 'nsd-control', 'dnsdist'];

/** A program that tests stand on is not installed; the message says how to install it. */
export class MissingProgram extends Error {
	override name = 'MissingProgram';
}

/**
 * Finds a program.
 *
 * @returns its path
 * @throws MissingProgram
 */
export function findProgram(name: Program): string {
	const found = folders()
		.map((folder) => join(folder, name))
		.find(isExecutable);
	if (found) return found;
	throw new MissingProgram(
		`The program "${name}" is missing: install it (Debian: RUNLEVEL=1 apt-get install ${PACKAGES[name]}) and run this again.`,
	);
}

/**
 * Looks for all of them before minutes are spent on what then can't start.
 *
 * @throws MissingProgram for the first that is not there
 */
export function requirePrograms(names: readonly Program[]): void {
	for (const name of names) findProgram(name);
}

function folders(): string[] {
	const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	return [...onPath, ...SYSTEM_FOLDERS, ...besideEachOther(onPath), ...debianVersions()];
}

/** Where only `postgres` is on the PATH, as a link, `initdb` stands beside what it points at. */
function besideEachOther(onPath: string[]): string[] {
	const postgres = onPath.map((folder) => join(folder, 'postgres')).find(isExecutable);
	return postgres ? [dirname(realpathSync(postgres))] : [];
}

function debianVersions(): string[] {
	try {
		const newestFirst = readdirSync(DEBIAN_POSTGRESQL).sort((a, b) => Number(b) - Number(a));
		return newestFirst.map((version) => join(DEBIAN_POSTGRESQL, version, 'bin'));
	} catch {
		return [];
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
