/**
 * Asks npm for known vulnerabilities. Fails if there is one in the bundled libraries or in the tools of the build; those in packages
 * that only tests use are counted. It does not fail if the registry does not answer: an outage must not block a release.
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
	const ours = await placesOf([...bundled(), ...BUILDERS]);
	const { vulnerabilities: found, message, error } = (await ask('audit', '--json')) ?? {};
	if (!found) {
		const reason = message ?? error?.summary ?? 'it gave no reason';
		return say(`Nothing was checked, because the registry does not answer npm audit: ${reason}`);
	}
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
	const licences = readFileSync(join(projectFolder, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
	return [...licences.matchAll(/^(\S+) \d+\.\d\S* \([^)]+\)\n-+$/gm)].map(([, name = '']) => name);
}

/**
 * Where packages, and all that they depend on, are installed: places such as `node_modules/gulp/node_modules/glob`.
 *
 * @param {string[]} names
 */
async function placesOf(names) {
	const own = names.map((name) => `:root > [name="${name}"]`);
	const selectors = own.flatMap((selector) => [selector, `${selector} *`]);
	const packages = await ask('query', '--package-lock-only', selectors.join(', '));
	if (!packages?.length) throw new SetupFailure('npm query does not find what is shipped.');
	return new Set(packages.map(({ location }) => location));
}

/** @param {string[]} parameters @returns what npm prints as JSON, whatever its exit code; undefined for anything else */
async function ask(...parameters) {
	const command = ['-c', 'npm "$@" 2>/dev/null', 'npm', ...parameters];
	const { output } = await run('sh', command, { cwd: projectFolder, kept: Infinity });
	try {
		return JSON.parse(output);
	} catch {
		return undefined;
	}
}
