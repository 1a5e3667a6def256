import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from './support/freshClone';
import { filesIn, startRegistry } from './support/registry';
import type { Registry } from './support/registry';

const OLD_FILE = 'dist/nodes/EmailIdentity/Old.node.js';
const ENTRY_POINTS = [
	'package/dist/credentials/EmailIdentityApi.credentials.js',
	'package/dist/nodes/EmailIdentity/EmailIdentity.node.js',
	'package/dist/nodes/EmailIdentity/EmailIdentityTrigger.node.js',
];

let clone: string;
let registry: Registry;

beforeEach(async () => {
	clone = freshClone();
	registry = await startRegistry();
});

afterEach(async () => {
	rmSync(clone, { recursive: true, force: true });
	await registry.stop();
});

/** Runs a program in the clone, on a machine of nobody's continuous integration, and gives all that it printed. */
async function run(program: string, ...parameters: string[]) {
	const child = spawn(program, parameters, {
		cwd: clone,
		env: {
			...process.env,
			CI: undefined,
			GITHUB_ACTIONS: undefined,
			npm_config_cache: join(clone, 'test-results/npm'),
			// Whoever runs the tests by a silent npm hands that on.
			npm_config_loglevel: 'notice',
		},
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, output };
}

const publish = (...options: string[]) =>
	run(process.execPath, 'scripts/publish.mjs', ...registry.options, ...options);

function leaveAnOldBuild() {
	mkdirSync(join(clone, OLD_FILE, '..'), { recursive: true });
	writeFileSync(join(clone, OLD_FILE), '// of yesterday');
}

describe('npm publish', () => {
	it.each([['as .npmrc has it'], ['with scripts', '--ignore-scripts=false']])(
		'publishes no empty package from a fresh clone, %s',
		async (_, ...options) => {
			const { code, output } = await run('npm', 'publish', ...registry.options, ...options);
			expect({ code, output }).toMatchObject({
				code: 1,
				output: expect.stringMatching('EPRIVATE'),
			});
			expect(registry.publications).toEqual([]);
		},
		60_000,
	);

	it('publishes nothing of a build that is not ours', async () => {
		leaveAnOldBuild();
		const { output } = await run('npm', 'publish', '--provenance=false', ...registry.options);
		expect(output).toContain('EPRIVATE');
		expect(registry.publications).toEqual([]);
	}, 60_000);
});

describe('npm pack', () => {
	it('builds, where npm may run scripts', async () => {
		const { output } = await run('npm', 'pack', '--ignore-scripts=false');
		for (const file of ENTRY_POINTS) expect(output).toContain(file.replace('package/', ''));
	}, 60_000);
});

describe('the script that the workflow publishes with', () => {
	it('builds in a fresh clone, and publishes what package.json names', async () => {
		const { output } = await publish('--provenance=false');
		expect(registry.publications).toHaveLength(1);
		const [publication] = registry.publications;
		const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as {
			version: string;
		};
		expect(publication!.versions[version]).not.toHaveProperty('private');
		expect(filesIn(publication!)).toEqual(expect.arrayContaining(ENTRY_POINTS));
		expect(output).toContain(`+ n8n-nodes-email-identity@${version}`);
	}, 60_000);

	it('publishes nothing of an old build', async () => {
		leaveAnOldBuild();
		await publish('--provenance=false');
		const files = registry.publications.flatMap(filesIn);
		expect(files).toEqual(expect.arrayContaining(ENTRY_POINTS));
		expect(files).not.toContain(`package/${OLD_FILE}`);
	}, 60_000);

	it('stops when a node is named that was not built', async () => {
		const file = join(clone, 'package.json');
		const renamed = readFileSync(file, 'utf8').replace('EmailIdentity.node.js', 'Mail.node.js');
		writeFileSync(file, renamed);
		const { code, output } = await publish('--provenance=false');
		expect({ code, output }).toMatchObject({
			code: 1,
			output: expect.stringContaining('Mail.node.js'),
		});
		expect(registry.publications).toEqual([]);
	}, 60_000);

	it('publishes from no other place than the workflow: npm can prove the origin of nothing else', async () => {
		const { code, output } = await publish();
		expect({ code, output }).toMatchObject({
			code: 1,
			output: expect.stringMatching('provenance'),
		});
		expect(registry.publications).toEqual([]);
	}, 60_000);
});
