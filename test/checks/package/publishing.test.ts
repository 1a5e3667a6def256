import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from '../../release/support/freshClone';

const OLD_FILE = 'dist/nodes/EmailIdentity/Old.node.js';
/** Nothing listens there: an attempt to publish fails for another reason than the expected one. */
const NO_REGISTRY = [
	'--registry=http://127.0.0.1:9',
	'--//127.0.0.1:9/:_authToken=a-user',
	'--fetch-retries=0',
];

let clone: string;

beforeEach(() => {
	clone = freshClone();
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(clone, file), 'utf8');
const version = () => (JSON.parse(read('package.json')) as { version: string }).version;

/** Runs a program in the clone as on a developer's machine, and gives all that it printed. */
async function run(program: string, ...parameters: string[]) {
	const child = spawn(program, parameters, {
		cwd: clone,
		env: {
			...process.env,
			CI: undefined,
			GITHUB_ACTIONS: undefined,
			npm_config_cache: join(clone, 'test-results/npm'),
			// A silent npm that runs these tests would pass that on.
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

/** As the workflow does. */
const pack = async () => await run(process.execPath, 'scripts/package.mjs');
const tarball = () => join(clone, `n8n-nodes-email-identity-${version()}.tgz`);

function leaveAnOldBuild() {
	mkdirSync(join(clone, OLD_FILE, '..'), { recursive: true });
	writeFileSync(join(clone, OLD_FILE), '// of yesterday');
}

it.each([['as .npmrc has it'], ['with scripts', '--ignore-scripts=false']])(
	'npm publish refuses to publish from a clone, %s',
	async (_, ...options) => {
		leaveAnOldBuild();
		const { code, output } = await run('npm', 'publish', ...NO_REGISTRY, ...options);
		expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching('EPRIVATE') });
	},
);

it('the workflow packs a fresh build without private, and no file of an old build', async () => {
	leaveAnOldBuild();
	expect(await pack()).toMatchObject({ code: 0 });
	const tar = (...options: string[]) => execFileSync('tar', options, { encoding: 'utf8' });
	const files = tar('-tzf', tarball()).trim().split('\n');
	expect(files).toContain('package/package.json');
	expect(files).not.toContain(`package/${OLD_FILE}`);
	expect(JSON.parse(tar('-xzOf', tarball(), 'package/package.json'))).not.toHaveProperty('private');
});

it('the workflow packs nothing when package.json names a node that was not built', async () => {
	const renamed = read('package.json').replace('EmailIdentity.node.js', 'Mail.node.js');
	writeFileSync(join(clone, 'package.json'), renamed);
	const packing = { code: 1, output: expect.stringContaining('Mail.node.js') };
	expect(await pack()).toMatchObject(packing);
});

it('the packed package is published only where npm can prove the origin', async () => {
	expect(await pack()).toMatchObject({ code: 0 });
	const publishing = { code: 1, output: expect.stringMatching('provenance') };
	const options = ['--ignore-scripts', ...NO_REGISTRY];
	expect(await run('npm', 'publish', tarball(), ...options)).toMatchObject(publishing);
});

it("the notes of a release are the version's own section of the changelog", async () => {
	const tag = `v${version()}`;
	const { code, output } = await run(process.execPath, 'scripts/releaseNotes.mjs', tag);
	expect(code).toBe(0);
	expect(output.trim()).toMatch(/^\w/);
	expect(output).not.toMatch(/^## /m);
});
