import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Debian keeps PostgreSQL's programs off the PATH, one folder a version. */
const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

/** Program → the Debian package that brings it. */
const PACKAGES = {
	'redis-server': 'redis-server',
	postgres: 'postgresql',
	initdb: 'postgresql',
} as const;

export type Program = keyof typeof PACKAGES;

/** A program that queue mode stands on is not installed; the message says how to install it. */
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
		`The program "${name}" is missing: install it (Debian: apt-get install redis-server postgresql) and run this again.`,
	);
}

/**
 * Looks for all of them before minutes are spent on what then can't start.
 *
 * @throws MissingProgram for the first that is not there
 */
export function requirePrograms(): void {
	for (const name of Object.keys(PACKAGES) as Program[]) findProgram(name);
}

function folders(): string[] {
	const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	return [...onPath, ...besideEachOther(onPath), ...debianVersions()];
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
