import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freshClone } from './support/freshClone';
import { standInForNpm } from './support/npmRegistry';
import type { NpmRegistry } from './support/npmRegistry';
import { startVerdaccio } from './support/verdaccio';
import type { Registry } from './support/verdaccio';
import { publishByWorkflow, publishCommands, setVersion } from './support/workflow';

const PACKAGE = 'n8n-nodes-email-identity';
const VERSIONS = ['0.1.0', '0.1.1'];
const NPM_TIMEOUT_MS = 240_000;

let registry: Registry;
let npmRegistry: NpmRegistry;
let clone: string;

beforeAll(async () => {
	registry = await startVerdaccio();
	npmRegistry = await standInForNpm(registry.url);
	clone = freshClone();
});

afterAll(async () => {
	await npmRegistry?.stop();
	await registry?.stop();
	rmSync(clone, { recursive: true, force: true });
});

/** Runs npm as n8n does for a user: with nothing of this machine's settings, at the address of npm's registry. */
async function npm(...parameters: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)(
		'npm',
		[...parameters, '--registry=https://registry.npmjs.org'],
		{
			cwd: clone,
			timeout: NPM_TIMEOUT_MS,
			env: {
				PATH: process.env.PATH,
				HOME: clone,
				npm_config_cache: join(clone, 'test-results/npm'),
				npm_config_globalconfig: join(clone, 'no-npmrc'),
				...npmRegistry.environment,
			},
		},
	);
	return stdout.trim();
}

it('the workflow publishes after everything else has passed', () => {
	const commands = publishCommands(clone);
	const publishing = commands.indexOf('node scripts/publish.mjs');
	for (const check of ['npm test -- usual checks', 'npm run scan', 'npm run audit']) {
		expect(commands.slice(0, publishing)).toContain(check);
	}
});

it.each(VERSIONS)(
	'version %s is taken by a registry from the commands of the workflow',
	async (version) => {
		setVersion(clone, version);
		await publishByWorkflow(clone, version, [...registry.options, '--provenance=false']);
		const published = JSON.parse(await npm('view', `${PACKAGE}@${version}`, '--json')) as object;
		expect(published).toMatchObject({
			name: PACKAGE,
			version,
			n8n: { n8nNodesApiVersion: 1 },
			dist: { tarball: expect.stringMatching(/^https:\/\/registry\.npmjs\.org\//) },
		});
	},
);

it('a version is published once', async () => {
	await expect(
		publishByWorkflow(clone, VERSIONS[1]!, [...registry.options, '--provenance=false']),
	).rejects.toThrow('npm did not publish the package');
});

it('nothing is published under a tag that is not the version', async () => {
	await expect(
		publishByWorkflow(clone, '9.9.9', [...registry.options, '--provenance=false']),
	).rejects.toThrow('The tag "v9.9.9" is not "v0.1.1"');
});

it('npm gives the newest version to who installs the package', async () => {
	expect(await npm('pack', PACKAGE, '--quiet')).toBe(`${PACKAGE}-0.1.1.tgz`);
});

it('who has the first release is told of the next, and gets it in its place', async () => {
	const nodes = join(clone, 'test-results/nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), JSON.stringify({ private: true }));
	const at = ['--prefix', nodes, '--legacy-peer-deps'];
	const installed = () =>
		(
			JSON.parse(readFileSync(join(nodes, 'node_modules', PACKAGE, 'package.json'), 'utf8')) as {
				version: string;
			}
		).version;

	await npm('install', `${PACKAGE}@${VERSIONS[0]}`, '--save-exact', ...at);
	expect(installed()).toBe(VERSIONS[0]);
	// How n8n asks for it; npm ends with 1 where something is outdated.
	const outdated = await npm('outdated', '--json', ...at).catch(({ stdout }) => String(stdout));
	expect(JSON.parse(outdated)).toMatchObject({ [PACKAGE]: { latest: VERSIONS[1] } });
	await npm('install', `${PACKAGE}@${VERSIONS[1]}`, ...at);
	expect(installed()).toBe(VERSIONS[1]);
});
