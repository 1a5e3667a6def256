/**
 * Finds where packages, and all that they depend on, are installed: by the lockfile, as Node looks for them.
 *
 * @param {Record<string, { dependencies?: object, optionalDependencies?: object }>} packages the lockfile's, by place
 * @param {string[]} names of packages in the project's own `node_modules`
 * @returns {Set<string>} places such as `node_modules/gulp/node_modules/glob`
 */
export function dependencyTree(packages, names) {
	const found = new Set();
	const visit = (name, from) => {
		const place = placeOf(packages, name, from);
		if (place === undefined || found.has(place)) return;
		found.add(place);
		const { dependencies, optionalDependencies } = packages[place];
		const needed = Object.keys({ ...dependencies, ...optionalDependencies });
		for (const dependency of needed) visit(dependency, place);
	};
	for (const name of names) visit(name, '');
	return found;
}

/** The innermost `node_modules` that has the package, from the dependent's own outwards. */
function placeOf(packages, name, from) {
	for (
		let folder = from;
		;
		folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
	) {
		const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
		if (place in packages) return place;
		if (folder === '') return undefined;
	}
}
