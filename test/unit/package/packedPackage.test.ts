import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import * as opening from '../../../nodes/EmailIdentity/email/openEmail';
import { packedPackage } from '../../e2e/driver/packedPackage';
import { corpusFiles, readCorpus } from '../email/corpus';

const KILOBYTE = 1024;
/**
 * What is needed without an option; a third of the rest is the list of public suffixes. More than that, and a user would
 * feel it; comparable packages unpack to 340 to 820 KB, a photograph is larger.
 */
const LARGEST_USUAL = 190 * KILOBYTE;
const LARGEST_TARBALL = 310 * KILOBYTE;
const LARGEST_INSTALLATION = 1000 * KILOBYTE;

/** What n8n itself gives a community node; anything else would have to be installed along. */
const PROVIDED = ['n8n-workflow', 'crypto', 'node:crypto'];

const RUNTIME = 'dist/nodes/EmailIdentity/runtime.js';
/** What opens emails, and what makes text of HTML: each is loaded when it is first needed. */
const OPENING = 'dist/nodes/EmailIdentity/email/openEmail.js';
const HTML_TO_TEXT = 'dist/nodes/EmailIdentity/email/html/htmlToText.js';
const DNS_AUDIT = 'dist/nodes/EmailIdentity/resources/identity/dnsAudit.js';
const REMOVE_QUOTED_TEXT = 'dist/nodes/EmailIdentity/email/reply/removeQuotedText.js';
/** What is loaded only where somebody has switched it on. */
const ON_REQUEST = [
	REMOVE_QUOTED_TEXT,
	'dist/nodes/EmailIdentity/dns/senderCheck.js',
	DNS_AUDIT,
];

const EVERYTHING = { attachments: true, headers: true, binaryPrefix: '' };

/** A function with its docstring; blanks at the ends of lines are another matter of each formatter. */
const DOCUMENTED_FUNCTION = /\/\*\*(?:(?!\*\/)[^])*\*\/\n(?:export )?(?:async )?function (\w+)/g;
const withoutIndents = (code: string) => code.replace(/\s*\n\s*/g, '\n');

/** The code in the repository that is published. */
function sources(): string[] {
	const root = join(__dirname, '../../..');
	return ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(join(root, folder, file), 'utf8')),
	);
}

/** Files of the packed package by path, as a user's n8n gets them. */
let files: string[];
let folder: string;
let tarball: string;
let manifest: Record<string, unknown> & { n8n: { credentials: string[]; nodes: string[] } };

const read = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');
const scripts = () => files.filter((file) => file.endsWith('.js'));
const requiredBy = (file: string) =>
	[...read(file).matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) => name ?? '');
/** What is required by files, and what by that, however late; without some. */
const reachedFrom = (begin: string[], without: string[] = []) => {
	const reached = new Set(begin);
	for (const file of reached) {
		const own = requiredBy(file).filter((name) => name.startsWith('.'));
		const paths = own.map((name) => join(file, '..', name.replace(/(\.js)?$/, '.js')));
		paths.filter((path) => !without.includes(path)).forEach((path) => reached.add(path));
	}
	return [...reached];
};
const atStart = () => [...manifest.n8n.nodes, ...manifest.n8n.credentials];

/** All but what only options need. */
function usual(): string[] {
	const scriptsInUse = reachedFrom(atStart(), ON_REQUEST);
	expect(files).toEqual(expect.arrayContaining(ON_REQUEST));
	return files.filter((file) => !file.endsWith('.js') || scriptsInUse.includes(file));
}

function packedSize(paths: string[]): number {
	return execFileSync('tar', ['-czf', '-', '-C', join(folder, 'package'), ...paths]).length;
}

beforeAll(async () => {
	tarball = await packedPackage();
	folder = mkdtempSync(join(tmpdir(), 'email-identity-unpacked-'));
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	// As in n8n, what n8n provides is found above the package.
	symlinkSync(join(__dirname, '../../../node_modules'), join(folder, 'node_modules'));
	const root = join(folder, 'package');
	files = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)))
		.sort();
	manifest = JSON.parse(read('package.json')) as typeof manifest;
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
	it('contains the built package and the files that npm always adds, nothing else', () => {
		const outside = files.filter((file) => !file.startsWith('dist/'));
		expect(outside).toEqual(['LICENSE', 'README.md', 'package.json']);
	});

	it('ships neither sources nor declarations nor source maps nor leftovers of tools', () => {
		const kinds = new Set(files.map((file) => /\.[^./]+$/.exec(file)?.[0] ?? file));
		expect([...kinds].sort()).toEqual(['.js', '.json', '.md', '.svg', '.txt', 'LICENSE']);
		expect(scripts().filter((file) => read(file).includes('sourceMappingURL'))).toEqual([]);
	});

	it('holds every node and credential that it names', () => {
		expect(files).toEqual(expect.arrayContaining(manifest.n8n.credentials));
		expect(files).toEqual(expect.arrayContaining(manifest.n8n.nodes));
	});

	it('holds the search words of both nodes and the shapes of their outputs', () => {
		expect(files).toContain('dist/nodes/EmailIdentity/EmailIdentity.node.json');
		expect(files).toContain('dist/nodes/EmailIdentity/EmailIdentityTrigger.node.json');
		expect(files.filter((file) => file.includes('/__schema__/'))).not.toEqual([]);
	});

	it('installs nothing along and runs nothing at installation', () => {
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(Object.keys(manifest.scripts as object)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(pre|post)?(install|prepare)$/)]),
		);
	});

	it('requires only its own files and what n8n provides', () => {
		const required = scripts().flatMap(requiredBy);
		const foreign = required.filter((name) => !name.startsWith('.') && !PROVIDED.includes(name));
		expect(required).toContain('n8n-workflow');
		expect(foreign).toEqual([]);
	});

	it('holds no script that is never required', () => {
		expect(scripts()).toEqual(reachedFrom(atStart()).sort());
	});

	it('names the licences of what is bundled, each library being a file', () => {
		const licences = read('dist/THIRD-PARTY-LICENSES.txt');
		const libraries = scripts().filter((file) => file.includes('/libraries/'));
		expect(libraries.length).toBeGreaterThan(0);
		for (const library of libraries) {
			// The file of a package with a scope has a dash for the slash.
			const name = basename(library, '.js').replace(/^(@.+?)-/, '$1/');
			expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
		}
		const ours = scripts().filter((file) => !libraries.includes(file));
		expect(ours.filter((file) => read(file).includes('node_modules'))).toEqual([]);
	});

	it('holds our own code as the repository does, with its names and docstrings', () => {
		const shipped = withoutIndents(scripts().map(read).join('\n'));
		const documented = sources().flatMap((source) =>
			[...withoutIndents(source).matchAll(DOCUMENTED_FUNCTION)]
				.map(([text, name]) => ({ text: text.replace('export ', ''), name }))
				.filter(({ name }) => shipped.includes(`function ${name}(`)),
		);
		expect(documented.length).toBeGreaterThan(100);
		expect(documented.filter(({ text }) => !shipped.includes(text))).toEqual([]);
	});

	it('weighs little', () => {
		const unpacked = files.map((file) => statSync(join(folder, 'package', file)).size);
		expect(statSync(tarball).size).toBeLessThanOrEqual(LARGEST_TARBALL);
		expect(unpacked.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LARGEST_INSTALLATION);
		expect(packedSize(usual())).toBeLessThanOrEqual(LARGEST_USUAL);
	});
});

describe('loading the packed package', () => {
	/** What an expression gives in a fresh Node. */
	function printedBy(expression: string): string[] {
		const program = `Promise.resolve(${expression})
			.then((value) => process.stdout.write(JSON.stringify(value)))`;
		const output = execFileSync(process.execPath, ['-e', program], {
			encoding: 'utf8',
			env: { ...process.env, NODE_PATH: join(__dirname, '../../../node_modules') },
		});
		return JSON.parse(output) as string[];
	}

	/** The files of the package that are loaded after n8n required one of them. */
	function loadedBy(file: string): string[] {
		const path = JSON.stringify(join(folder, 'package', file));
		const root = join(folder, 'package');
		return printedBy(`(require(${path}), Object.keys(require.cache))`)
			.filter((loaded) => loaded.startsWith(root))
			.map((loaded) => relative(root, loaded));
	}

	it('reads the descriptions alone: what the nodes do is left for their first use', () => {
		expect(atStart().flatMap(loadedBy).sort()).toEqual(atStart().sort());
		expect(files).toEqual(expect.arrayContaining([RUNTIME, OPENING, HTML_TO_TEXT]));
	});

	it('does nothing of the runtime meanwhile: a statement that makes nothing for the editor is left over from it', () => {
		// Rolldown writes a line for each statement at the top level, without an indent.
		const declarations =
			/^(?:const|let|var|class|function|async function|exports\.|"use strict"|require\("crypto"\)|[\])};]|\/[/*]|\s|\*|$)/;
		const leftOver = [...manifest.n8n.nodes, ...manifest.n8n.credentials].flatMap((file) =>
			read(file)
				.split('\n')
				.filter((line) => !declarations.test(line)),
		);
		expect(leftOver).toEqual([]);
	});

	it('leaves the libraries for the first email', () => {
		const loaded = loadedBy(RUNTIME);
		expect(loaded).toContain(RUNTIME);
		expect(loaded.filter((file) => file.includes('/libraries/'))).toEqual([]);
		expect(loaded).not.toEqual(expect.arrayContaining([OPENING]));
	});

	it('leaves what looks at the DNS of domains for the first audit with Check DNS', () => {
		expect(files).toContain(DNS_AUDIT);
		const early = [...atStart(), RUNTIME].flatMap(loadedBy);
		expect(early.filter((file) => /\/dns\/|dnsAudit/.test(file))).toEqual([]);
	});

	it('loads what removes quoted text when that is asked for', () => {
		const opening = JSON.stringify(join(folder, 'package', OPENING));
		const loadedWith = (options: object) =>
			printedBy(
				`require(${opening}).openEmail('Subject: Re: Tea', () => ({}))
					.then((opened) => opened.read(${JSON.stringify(options)}))
					.then(() => Object.keys(require.cache))`,
			);
		const isThere = expect.stringContaining(REMOVE_QUOTED_TEXT);
		expect(loadedWith(EVERYTHING)).not.toContainEqual(isThere);
		expect(loadedWith({ ...EVERYTHING, removeQuotedText: true })).toContainEqual(isThere);
	});

	it('has the fields of the editor in the node files only', () => {
		// With its text: the service has a field of this name, too.
		const label = /displayName: ["'`]/;
		expect(read(RUNTIME)).not.toMatch(label);
		expect(manifest.n8n.nodes.filter((file) => !label.test(read(file)))).toEqual([]);
	});

	it('reads emails as the sources do', async () => {
		const shipped = (await import(join(folder, 'package', OPENING))) as typeof opening;
		const read = async ({ openEmail }: typeof opening, rawEmail: string) =>
			await (await openEmail(rawEmail, () => ({}))).read({ ...EVERYTHING, removeQuotedText: true });
		for (const file of corpusFiles) {
			const rawEmail = readCorpus(file);
			expect({ file, reading: await read(shipped, rawEmail) }).toEqual({
				file,
				reading: await read(opening, rawEmail),
			});
		}
	});

	it('finds each class under the name of its file', () => {
		for (const entry of atStart()) {
			const className = /([^/]+)\.(?:node|credentials)\.js$/.exec(entry)?.[1];
			const file = JSON.stringify(join(folder, 'package', entry));
			expect(printedBy(`Object.keys(require(${file}))`)).toEqual([className]);
		}
	});

	it('finds the icons where nodes and credential point', () => {
		const pointing = atStart().flatMap((entry) =>
			[...read(entry).matchAll(/file:([^"'`]+\.svg)/g)].map(([, icon]) =>
				join(entry, '..', icon ?? ''),
			),
		);
		expect(new Set(pointing)).toEqual(
			new Set(['dist/icons/emailIdentity.svg', 'dist/icons/emailIdentity.dark.svg']),
		);
		expect(files).toEqual(expect.arrayContaining(pointing));
	});
});
