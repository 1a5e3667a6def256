import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from '../../release/support/freshClone';

const OLD_FILE = 'dist/nodes/EmailIdentity/Old.node.js';
/** Nothing listens there: an attempt to publish fails for another reason than the expected one. */
const NO_REGISTRY = [
	'--registry=http://127.0.0.1:9',
	'--//127.0.0.1:9/:_authToken=a-user',
	'--fetch-retries=0',
];

/** README and CONTRIBUTING name them for a new clone. */
const COMMANDS = ['lint', 'typecheck', 'build', 'test:unit', 'test:host', 'sandbox', 'package'];

let clone: string;

beforeEach(() => {
	clone = freshClone();
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(clone, file), 'utf8');
const version = () => (JSON.parse(read('package.json')) as { version: string }).version;

/** Runs a program in the clone as on a developer's machine, and gives all that it printed. */
async function run(program: string, ...parameters: string[]) {
	return await runIn(clone, program, parameters);
}

async function runIn(
	cwd: string,
	program: string,
	parameters: string[],
	environment: NodeJS.ProcessEnv = {},
) {
	const child = spawn(program, parameters, {
		cwd,
		env: {
			...process.env,
			CI: undefined,
			GITHUB_ACTIONS: undefined,
			npm_config_cache: join(clone, 'test-results/npm'),
			// A silent npm that runs these tests would pass that on.
			npm_config_loglevel: 'notice',
			...environment,
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

describe('without installed dependencies', () => {
	let empty: string;

	beforeEach(() => {
		empty = freshClone({ installed: false });
	});

	afterEach(() => rmSync(empty, { recursive: true, force: true }));

	const npm = async (parameters: string[], environment?: NodeJS.ProcessEnv) =>
		await runIn(empty, 'npm', parameters, environment);

	it('npm run package installs them and packs', async () => {
		const { npm_config_cache } = process.env;
		const { code, output } = await npm(['run', 'package'], { npm_config_cache });
		expect({ code, output }).toMatchObject({ code: 0 });
		expect(output.trim().split('\n').at(-1)).toBe(
			join(empty, `n8n-nodes-email-identity-${version()}.tgz`),
		);
	}, 600_000);

	it('every command notices that they do not fit', async () => {
		symlinkSync(mkdtempSync(join(empty, 'others-')), join(empty, 'node_modules'));
		const expected = { code: 1, output: expect.stringContaining('does not fit package-lock.json') };
		for (const command of COMMANDS) {
			expect({ command, ...(await npm(['run', command])) }).toEqual({ command, ...expected });
		}
	});
});

it("the notes of a release are the version's own section of the changelog", async () => {
	const tag = `v${version()}`;
	const { code, output } = await run(process.execPath, 'scripts/releaseNotes.mjs', tag);
	expect(code).toBe(0);
	expect(output.trim()).toMatch(/^\w/);
	expect(output).not.toMatch(/^## /m);
});
