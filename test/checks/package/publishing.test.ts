import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from '../../release/support/freshClone';
import { filesIn, startRegistry, type Registry } from '../../release/support/recordingRegistry';

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

/** Runs a program in the clone as on a developer's machine, and gives all that it printed. */
async function run(program: string, ...parameters: string[]) {
	const child = spawn(program, parameters, {
		cwd: clone,
		env: {
			...process.env,
			CI: undefined,
			GITHUB_ACTIONS: undefined,
			npm_config_cache: join(clone, 'test-results/npm'),
			// A silent npm that runs these tests would hand that on.
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
async function publish(...options: string[]) {
	const packing = await run(process.execPath, 'scripts/package.mjs');
	const tarball = packing.output.trim().split('\n').at(-1) ?? '';
	if (packing.code !== 0) return packing;
	return await run('npm', 'publish', tarball, '--ignore-scripts', ...registry.options, ...options);
}

function leaveAnOldBuild() {
	mkdirSync(join(clone, OLD_FILE, '..'), { recursive: true });
	writeFileSync(join(clone, OLD_FILE), '// of yesterday');
}

it.each([['as .npmrc has it'], ['with scripts', '--ignore-scripts=false']])(
	'npm publish refuses to publish from a clone, %s',
	async (_, ...options) => {
		leaveAnOldBuild();
		const { code, output } = await run('npm', 'publish', ...registry.options, ...options);
		expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching('EPRIVATE') });
		expect(registry.publications).toEqual([]);
	},
);

describe('what the workflow publishes', () => {
	it('is what package.json names, freshly built, and nothing of an old build', async () => {
		leaveAnOldBuild();
		const { output } = await publish('--provenance=false');
		expect(registry.publications).toHaveLength(1);
		const [publication] = registry.publications;
		const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as {
			version: string;
		};
		expect(publication!.versions[version]).not.toHaveProperty('private');
		expect(filesIn(publication!)).toEqual(expect.arrayContaining(ENTRY_POINTS));
		expect(filesIn(publication!)).not.toContain(`package/${OLD_FILE}`);
		expect(output).toContain(`+ n8n-nodes-email-identity@${version}`);
	});

	it('is nothing when package.json names a node that was not built', async () => {
		const file = join(clone, 'package.json');
		const renamed = readFileSync(file, 'utf8').replace('EmailIdentity.node.js', 'Mail.node.js');
		writeFileSync(file, renamed);
		const { code, output } = await publish('--provenance=false');
		expect({ code, output }).toMatchObject({
			code: 1,
			output: expect.stringContaining('Mail.node.js'),
		});
		expect(registry.publications).toEqual([]);
	});

	it('is published only where npm can prove the origin', async () => {
		const { code, output } = await publish();
		expect({ code, output }).toMatchObject({
			code: 1,
			output: expect.stringMatching('provenance'),
		});
		expect(registry.publications).toEqual([]);
	});
});

it("the notes of a release are the version's own section of the changelog", async () => {
	const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as {
		version: string;
	};
	const { code, output } = await run(process.execPath, 'scripts/releaseNotes.mjs', `v${version}`);
	expect(code).toBe(0);
	expect(output.trim()).toMatch(/^\w/);
	expect(output).not.toMatch(/^## /m);
});
