import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const house = resolve(__dirname, '../../../nodes/EmailIdentity');

/**
 * Who may use whom (`docs/architecture.md`). A folder may always use itself; of another one, all of it or single files. What
 * `shared/` is built on may use those files of it that use only each other.
 */
const MAY_USE: Record<string, readonly string[]> = {
	'node files': ['resources', 'listSearch', 'trigger', 'dns', 'api', 'shared'],
	resources: ['email', 'dns', 'api', 'shared'],
	listSearch: ['api', 'shared'],
	trigger: ['email', 'dns', 'api', 'shared'],
	shared: ['email', 'dns', 'api'],
	dns: [
		'api',
		'email/addresses.ts',
		'email/deliveredTo.ts',
		'email/headerFields.ts',
		'email/mimeStructure.ts',
		'shared/asciiDomain.ts',
		'shared/boundedMap.ts',
		'shared/turns.ts',
	],
	email: [
		'shared/normalization.ts',
		'shared/plainLetters.ts',
		'shared/plusTag.ts',
		'shared/trimming.ts',
		'shared/windows1252.ts',
	],
	api: ['shared/trimming.ts', 'shared/turns.ts'],
};

const files = readdirSync(house, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.sort();

/** What a file imports of the house, types included: `a/b.ts` by its path below the house. */
function importsOf(file: string): string[] {
	const text = readFileSync(join(house, file), 'utf8');
	return ts
		.preProcessFile(text, true, true)
		.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => {
			const target = resolve(house, dirname(file), fileName);
			const found = [`${target}.ts`, join(target, 'index.ts')].find((path) => existsSync(path));
			return relative(house, found ?? target);
		});
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

const folderOf = (file: string) => (file.includes('/') ? file.split('/', 1).join() : 'node files');

/** The files of the first circle that imports go round in, if they do. */
function findCircle(): string[] | undefined {
	const done = new Set<string>();
	const visit = (file: string, path: string[]): string[] | undefined => {
		if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
		if (done.has(file)) return undefined;
		for (const next of imports.get(file) ?? []) {
			const circle = visit(next, [...path, file]);
			if (circle) return circle;
		}
		done.add(file);
		return undefined;
	};
	for (const file of files) {
		const circle = visit(file, []);
		if (circle) return circle;
	}
	return undefined;
}

describe('the house', () => {
	it('is read at all: every import within it is a file of it', () => {
		expect(files.length).toBeGreaterThan(20);
		expect([...imports.values()].flat().filter((file) => !files.includes(file))).toEqual([]);
	});

	it('bounds what Unicode normalization costs: strangers write what is normalized', () => {
		const normalizing = files.filter((file) =>
			readFileSync(join(house, file), 'utf8').includes('.normalize('),
		);
		expect(normalizing).toEqual(['shared/normalization.ts']);
	});

	it('has no imports that go round in a circle', () => {
		expect(findCircle()).toBeUndefined();
	});

	it.each(Object.entries(MAY_USE))('%s use nothing but what they may', (folder, allowed) => {
		const used = files
			.filter((file) => folderOf(file) === folder)
			.flatMap((file) => (imports.get(file) ?? []).map((target) => ({ file, target })))
			.filter(
				({ target }) =>
					![folder, ...allowed].some((name) => [folderOf(target), target].includes(name)),
			)
			.map(({ file, target }) => `${file} → ${target}`);
		expect(used).toEqual([]);
	});

	it('has files in shared/ that what shared/ is built on may use, since they use only each other', () => {
		const basic = Object.values(MAY_USE)
			.flat()
			.filter((name) => name.startsWith('shared/'));
		const used = basic.flatMap((file) => imports.get(file) ?? ['a file that is not there']);
		expect(used.filter((file) => !basic.includes(file))).toEqual([]);
	});

	it('has no leave for a file that nobody uses', () => {
		const isUsed = (folder: string, name: string) =>
			files.some((file) => folderOf(file) === folder && imports.get(file)?.includes(name));
		const unused = Object.entries(MAY_USE).flatMap(([folder, names]) =>
			names.filter((name) => name.endsWith('.ts') && !isUsed(folder, name)),
		);
		expect(unused).toEqual([]);
	});

	it('has a rule for each of its folders', () => {
		const folders = new Set(files.map(folderOf));
		expect([...folders].filter((folder) => !(folder in MAY_USE))).toEqual([]);
	});
});
