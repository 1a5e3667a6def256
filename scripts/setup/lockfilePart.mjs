import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} LockedPackage an entry of a package-lock.json
 * @property {string} version
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {Record<string, LockedPackage>} LockedPackages by their place, such as `node_modules/n8n`
 */

/**
 * Some packages of a lockfile, with all that they depend on, in the versions and places of the lockfile. npm itself can install only
 * everything that a package.json names.
 *
 * @param {LockedPackages} packages those of the lockfile
 * @param {readonly string[]} names of packages directly in its `node_modules`
 * @returns {LockedPackages}
 */
export function partOf(packages, names) {
	const places = names.map((name) => placeOf(packages, name, ''));
	const required = closureOf(packages, places, ({ dependencies }) => ({ ...dependencies }));
	const all = closureOf(packages, places, ({ dependencies, optionalDependencies }) => ({
		...dependencies,
		...optionalDependencies,
	}));
	// npm leaves out development dependencies if NODE_ENV is production, and optional ones that are for another platform.
	const entries = [...all].map((place) => {
		const optional = !required.has(place);
		return [place, { ...packages[place], dev: false, optional }];
	});
	return Object.fromEntries(entries);
}

/**
 * Packages with all that they depend on.
 *
 * @param {LockedPackages} packages
 * @param {string[]} places of the packages
 * @param {(entry: LockedPackage) => Record<string, string>} dependenciesOf
 * @returns {Set<string>} their places
 */
function closureOf(packages, places, dependenciesOf) {
	/** @type {Set<string>} */
	const found = new Set();
	const open = [...places];
	for (let place = open.pop(); place !== undefined; place = open.pop()) {
		const entry = packages[place];
		// A lockfile leaves out optional packages that do not exist.
		if (entry === undefined || found.has(place)) continue;
		found.add(place);
		for (const name of Object.keys(dependenciesOf(entry)))
			open.push(placeOf(packages, name, place));
	}
	return found;
}

/**
 * Where Node.js finds a package that another one requires.
 *
 * @param {LockedPackages} packages
 * @param {string} name
 * @param {string} from the place of the other one
 * @returns {string}
 */
function placeOf(packages, name, from) {
	for (let folder = from; folder !== ''; folder = folderAround(folder)) {
		const place = `${folder}/node_modules/${name}`;
		if (packages[place]) return place;
	}
	return `node_modules/${name}`;
}

/** The place of the package whose `node_modules` a place is in; empty for the project itself. @param {string} place */
function folderAround(place) {
	return place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')));
}

/**
 * Writes a package.json and a package-lock.json with which npm installs a part of a lockfile.
 *
 * @param {string} folder
 * @param {LockedPackages} part
 * @param {readonly string[]} names of its packages that others need
 */
export function writePart(folder, part, names) {
	const dependencies = Object.fromEntries(
		names.map((name) => [name, part[`node_modules/${name}`]?.version ?? '']),
	);
	const manifest = { name: 'part', version: '1.0.0', private: true, dependencies };
	const { name, version } = manifest;
	const lockfile = {
		name,
		version,
		lockfileVersion: 3,
		requires: true,
		packages: { '': manifest, ...part },
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
}
