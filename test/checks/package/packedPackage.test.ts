import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { packedPackage } from '../../support/n8n/host';

const KIBIBYTE = 1024;
/** Comparable packages unpack to 340 to 820 KB. */
const MAX_TARBALL_BYTES = 320_000;
const MAX_INSTALLATION_BYTES = 1050 * KIBIBYTE;

/** n8n provides these to a community node. */
const PROVIDED = ['n8n-workflow', 'crypto', 'node:crypto'];

const project = join(__dirname, '../../..');

/** Files of the packed package by path, as a user's n8n gets them. */
let files: string[];
let folder: string;
let tarball: string;
let manifest: Record<string, unknown> & { n8n: { credentials: string[]; nodes: string[] } };

const read = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');
const scripts = () => files.filter((file) => file.endsWith('.js'));
const isLibrary = (file: string) => file.startsWith('dist/libraries/');
const atStart = () => [...manifest.n8n.nodes, ...manifest.n8n.credentials];
const requiredBy = (file: string) =>
	[...read(file).matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) => name ?? '');

beforeAll(async () => {
	tarball = await packedPackage();
	folder = mkdtempSync(join(tmpdir(), 'email-identity-unpacked-'));
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	// As in n8n, what n8n provides is found above the package.
	symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
	const root = join(folder, 'package');
	files = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)))
		.sort();
	manifest = JSON.parse(read('package.json')) as typeof manifest;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the pictures of README have the address of this release, which npm needs for dark themes', () => {
	const written = readFileSync(join(project, 'README.md'), 'utf8');
	const pictures = (text: string) =>
		[...text.matchAll(/\bsrc(?:set)?="(.*?)"/g)].map(([, address]) => address);
	const folder = `/n8n-nodes-email-identity/v${String(manifest.version)}/`;
	const addresses = pictures(read('README.md')).map((address) => address?.split(folder));
	expect(addresses).toEqual(
		pictures(written).map((path) => [expect.stringMatching(/^https:\/\/[^/]+\/[^/]+$/), path]),
	);
});

it('the package contains the build and the files that npm always adds, nothing else', () => {
	const outside = files.filter((file) => !file.startsWith('dist/'));
	expect(outside).toEqual(['LICENSE', 'README.md', 'package.json']);
	const kinds = new Set(files.map((file) => /\.[^./]+$/.exec(file)?.[0] ?? file));
	expect([...kinds].sort()).toEqual(['.js', '.json', '.md', '.svg', '.txt', 'LICENSE']);
	expect(scripts().filter((file) => read(file).includes('sourceMappingURL'))).toEqual([]);
});

it('every node and credential in package.json is packed, with its search words, icons and schemas', () => {
	expect(files).toEqual(
		expect.arrayContaining([
			...atStart(),
			'dist/nodes/EmailIdentity/EmailIdentity.node.json',
			'dist/nodes/EmailIdentity/EmailIdentityTrigger.node.json',
			'dist/nodes/EmailIdentity/__schema__/v2.0.0.json',
		]),
	);
	const icons = atStart().flatMap((entry) =>
		[...read(entry).matchAll(/file:([^"'`]+\.svg)/g)].map(([, icon]) =>
			join(entry, '..', icon ?? ''),
		),
	);
	expect(new Set(icons)).toEqual(
		new Set(['dist/icons/emailIdentity.svg', 'dist/icons/emailIdentity.dark.svg']),
	);
	expect(files).toEqual(expect.arrayContaining(icons));
});

it('an installation installs no other package and runs no script', () => {
	expect(manifest.dependencies).toBeUndefined();
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(manifest.scripts).toBeUndefined();
});

it('the code requires only its own files and what n8n provides', () => {
	const required = scripts().flatMap(requiredBy);
	const foreign = required.filter((name) => !name.startsWith('.') && !PROVIDED.includes(name));
	expect(required).toContain('n8n-workflow');
	expect(foreign).toEqual([]);
});

it('the licence of every bundled library is included', () => {
	const licences = read('dist/THIRD-PARTY-LICENSES.txt');
	const libraries = scripts().filter(isLibrary);
	expect(libraries.length).toBeGreaterThan(0);
	for (const library of libraries) {
		const name = relative('dist/libraries', dirname(library));
		expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
	}
	const ours = scripts().filter((file) => !isLibrary(file));
	expect(ours.filter((file) => read(file).includes('node_modules'))).toEqual([]);
});

it('our own code is readable and names its source files', () => {
	const own = scripts().filter((file) => !isLibrary(file));
	const paths = own.flatMap((file) => read(file).match(/^\/\/ .+\.ts$/gm) ?? []);
	expect(new Set(paths).size).toBeGreaterThan(50);
	const lines = own.flatMap((file) => read(file).split('\n'));
	expect(lines.length).toBeGreaterThan(own.length * 100);
});

it('the package has at most 320 KB, unpacked 1050 KiB', () => {
	const unpacked = files.map((file) => statSync(join(folder, 'package', file)).size);
	expect(statSync(tarball).size).toBeLessThanOrEqual(MAX_TARBALL_BYTES);
	expect(unpacked.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_INSTALLATION_BYTES);
});

it('every node and credential loads without libraries and what reads emails or asks the DNS', () => {
	for (const entry of atStart()) {
		const program = `
			const exported = Object.keys(require(${JSON.stringify(join(folder, 'package', entry))}));
			process.stdout.write(JSON.stringify({ exported, loaded: Object.keys(require.cache) }));`;
		const output = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' });
		const { exported, loaded } = JSON.parse(output) as Record<string, string[]>;
		expect(exported).toEqual([/([^/]+)\.(?:node|credentials)\.js$/.exec(entry)?.[1]]);
		expect(
			loaded!.filter((file) => /\/dist\/(?:libraries|lib\/(?!basics\.js))/.test(file)),
		).toEqual([]);
	}
});
