import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const house = resolve(__dirname, '../../../nodes/EmailIdentity');

/** Who may use whom (`docs/architecture.md`): every folder itself, and those below it. */
const MAY_USE: Record<string, readonly string[]> = {
	'node files': ['resources', 'listSearch', 'trigger', 'shared', 'api', 'dns', 'email', 'lib'],
	resources: ['shared', 'api', 'dns', 'email', 'lib'],
	listSearch: ['shared', 'api', 'lib'],
	trigger: ['shared', 'api', 'dns', 'email', 'lib'],
	shared: ['api', 'dns', 'email', 'lib'],
	api: ['lib'],
	dns: ['email', 'lib'],
	email: ['lib'],
	lib: [],
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
		expect(normalizing).toEqual(['lib/text.ts']);
	});

	it.each(['dns', 'email', 'lib'])('%s knows nothing of n8n', (folder) => {
		const knowing = files
			.filter((file) => folderOf(file) === folder)
			.filter((file) => readFileSync(join(house, file), 'utf8').includes("'n8n-workflow'"));
		expect(knowing).toEqual([]);
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

	it('has a rule for each of its folders', () => {
		const folders = new Set(files.map(folderOf));
		expect([...folders].filter((folder) => !(folder in MAY_USE))).toEqual([]);
	});
});
