import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A package directly in `node_modules`; its name may have a scope. */
const TOP_LEVEL = /^node_modules\/(?:@[^/]+\/)?[^/]+$/;

/**
 * Counts what npm has installed so far, for the lines that are printed while it installs.
 *
 * @param {string} folder it installs into `node_modules` there
 * @param {Record<string, unknown>} packages those of the lockfile, by their place
 * @returns {() => string} such as `812 of 1,950 packages`
 */
export function installProgress(folder, packages) {
	const total = Object.keys(packages).filter((place) => TOP_LEVEL.test(place)).length;
	return () => {
		const done = Math.min(countPackages(join(folder, 'node_modules')), total);
		return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} packages`;
	};
}

/**
 * npm makes all folders first, and then unpacks into them.
 *
 * @param {string} folder
 * @returns {number}
 */
function countPackages(folder) {
	if (!existsSync(folder)) return 0;
	let count = 0;
	for (const name of readdirSync(folder)) {
		const place = join(folder, name);
		if (name.startsWith('@')) count += countPackages(place);
		else if (existsSync(join(place, 'package.json'))) count++;
	}
	return count;
}
