/**
 * Asks npm for known vulnerabilities in what is shipped (the libraries that the build bundles) and in what builds it.
 * One there fails; what only the tests use is counted. A registry that does not answer fails nothing: an outage must not keep a
 * release back.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { npm, run } from './setup/command.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { projectFolder } from './setup/project.mjs';

const BUILDERS = ['gulp', 'rolldown'];

await runScript(async () => {
	await npm(['run', 'build'], { cwd: projectFolder });
	const { packages } = JSON.parse(read('package-lock.json'));
	const ours = dependencyTree(packages, [...bundled(), ...BUILDERS]);
	const { vulnerabilities: found, reason } = await report();
	if (!found)
		return say(`Nothing was checked, because the registry does not answer npm audit: ${reason}`);
	const vulnerabilities = Object.values(found);
	const hits = vulnerabilities.filter(({ nodes }) => nodes.some((place) => ours.has(place)));
	for (const { name, severity, range } of hits) {
		process.stdout.write(`${severity}: ${name} ${range}\n`);
	}
	const elsewhere = vulnerabilities.length - hits.length;
	process.stdout.write(
		`${hits.length} in what is shipped or builds it, ${elsewhere} in what only tests use.\n`,
	);
	if (hits.length > 0) throw new SetupFailure('Update what is listed above.');
});

/** The libraries that the build named when it bundled them. */
function bundled() {
	const licences = read('dist/THIRD-PARTY-LICENSES.txt');
	return [...licences.matchAll(/^(\S+) \d+\.\d\S* \([^)]+\)\n-+$/gm)].map(([, name]) => name);
}

/** What npm answers: `vulnerabilities` by package, or why there are none. */
async function report() {
	const { output } = await run('sh', ['-c', 'npm audit --json 2>/dev/null'], {
		cwd: projectFolder,
		kept: Infinity,
	});
	try {
		const { vulnerabilities, message, error } = JSON.parse(output);
		return { vulnerabilities, reason: message ?? error?.summary ?? 'it gave no reason' };
	} catch {
		return { reason: 'it gave no JSON' };
	}
}

function read(file) {
	return readFileSync(join(projectFolder, file), 'utf8');
}

/**
 * Finds where packages, and all that they depend on, are installed: by the lockfile, as Node looks for them.
 *
 * @param {Record<string, { dependencies?: object, optionalDependencies?: object }>} packages the lockfile's, by place
 * @param {string[]} names of packages in the project's own `node_modules`
 * @returns {Set<string>} places such as `node_modules/gulp/node_modules/glob`
 */
function dependencyTree(packages, names) {
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
