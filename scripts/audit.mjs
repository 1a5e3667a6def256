/**
 * Asks npm for known vulnerabilities in what is shipped (the libraries that the build bundles) and in what builds it.
 * One there fails; what only the tests use is counted. Needs a registry that answers `npm audit`, as npm's own does.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { dependencyTree } from './release/dependencyTree.mjs';
import { npm, run } from './setup/command.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { projectFolder } from './setup/project.mjs';

const BUILDERS = ['gulp', 'rolldown'];

await runScript(async () => {
	await npm(['run', 'build'], { cwd: projectFolder });
	const { packages } = JSON.parse(read('package-lock.json'));
	const ours = dependencyTree(packages, [...bundled(), ...BUILDERS]);
	const vulnerabilities = Object.values((await report()).vulnerabilities);
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

async function report() {
	const { output } = await run('sh', ['-c', 'npm audit --json 2>/dev/null'], {
		cwd: projectFolder,
		kept: Infinity,
	});
	const answer = JSON.parse(output);
	if (answer.vulnerabilities) return answer;
	const reason = answer.message ?? answer.error?.summary ?? 'it gave no reason';
	throw new SetupFailure(`The registry does not answer npm audit: ${reason}.`);
}

function read(file) {
	return readFileSync(join(projectFolder, file), 'utf8');
}
