import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const files = execFileSync(
	'git',
	['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
	{ cwd: project, encoding: 'utf8' },
)
	.split('\n')
	.filter((path) => path !== '' && existsSync(join(project, path)));

const pages = files.filter((path) => path.endsWith('.md'));

/** Code contains no links. */
const withoutCode = (page: string) =>
	page.replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, '').replace(/`[^`\n]*`/g, '');

/** All that a page leads to, pictures included. */
function linksOf(path: string): string[] {
	const text = withoutCode(read(path));
	const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g);
	const named = text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm);
	const html = text.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g);
	return [...inline, ...named, ...html].map(([, link]) => link!);
}

/** The anchors of a page's headings, as GitHub and npm make them. */
function anchorsOf(path: string): Set<string> {
	const page = read(path).replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, '');
	const anchors = new Set<string>();
	for (const [, heading = ''] of page.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
		const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
		const anchor = text.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
		const earlier = [...anchors].filter((known) => known.replace(/-\d+$/, '') === anchor).length;
		anchors.add(earlier === 0 ? anchor : `${anchor}-${earlier}`);
	}
	return anchors;
}

/** Why a link within the repository leads nowhere; undefined where it leads somewhere, or out of the repository. */
function problemOf(page: string, link: string): string | undefined {
	if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
	const [target = '', anchor] = link.split('#');
	const path =
		target === '' ? page : relative(project, resolve(project, dirname(page), decodeURI(target)));
	if (path.startsWith('..')) return 'leads out of the repository';
	if (!existsSync(join(project, path))) return 'no such file';
	const isKnown = files.some((file) => file === path || file.startsWith(`${path}/`));
	if (!isKnown) return 'is not committed';
	if (anchor === undefined) return undefined;
	if (statSync(join(project, path)).isDirectory()) return 'a folder has no headings';
	return anchorsOf(path).has(anchor) ? undefined : 'no such heading';
}

it.each(pages)('every link in %s has a target', (page) => {
	const dead = linksOf(page).flatMap((link) => {
		const problem = problemOf(page, link);
		return problem === undefined ? [] : [`${link}: ${problem}`];
	});
	expect(dead).toEqual([]);
});

/** Folders at the top of the project. Other words with a slash may be types of files, or paths of a service. */
const FOLDERS = new Set(files.flatMap((path) => path.split('/').slice(0, -1)[0] ?? []));

/** The paths in the code of a page. `*` and `<name>` stand for any name. */
function pathsIn(path: string): string[] {
	const code = [...read(path).matchAll(/`([\w@.*<>/-]+)`/g)].map(([, text = '']) => text);
	return code.filter((text) => {
		const [first = ''] = text.split('/');
		if (FOLDERS.has(first)) return text.includes('/');
		return /^\w.*(?:\/|[\w-]\.(?:cjs|csv|eml|js|json|md|mjs|ts|yml))$/.test(text);
	});
}

/** A page may leave out the folders above a path. */
function isInProject(path: string): boolean {
	const escaped = path.replace(/\/$/, '').replace(/[.]/g, '\\.');
	const pattern = escaped.replace(/\*/g, '[^/]*').replace(/<[^>]+>/g, '[^/]+');
	const wanted = new RegExp(`(?:^|/)${pattern}(?:/|$)`);
	return files.some((file) => wanted.test(file));
}

it.each(pages)('every path in the code of %s exists', (page) => {
	expect(pathsIn(page).filter((path) => !isInProject(path))).toEqual([]);
});

it("the nodes and the credential link to existing headings of the package's page on npm", () => {
	const { name, homepage } = JSON.parse(read('package.json')) as Record<string, string>;
	const links = [
		'credentials/EmailIdentityApi.credentials.ts',
		'nodes/EmailIdentity/EmailIdentity.node.json',
		'nodes/EmailIdentity/EmailIdentityTrigger.node.json',
	].flatMap((file) => read(file).match(/https:\/\/(?!mail\.example\.com)[^'"]+/g) ?? []);
	expect(homepage).toBe(`https://www.npmjs.com/package/${name}`);
	expect(links.length).toBeGreaterThan(4);
	expect(links.filter((link) => link.split('#')[0] !== homepage)).toEqual([]);
	const anchors = links.flatMap((link) => link.split('#').slice(1));
	expect([...anchorsOf('README.md')]).toEqual(expect.arrayContaining(anchors));
});
