import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const project = resolve(__dirname, '../../..');
const house = 'nodes/EmailIdentity/';

/** Which folders a folder may import from, besides itself (`docs/architecture.md`). */
const MAY_IMPORT: Record<string, readonly string[]> = {
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

const files = ['nodes', 'credentials', 'sandbox', 'scripts', 'benchmarks', 'test'].flatMap((top) =>
	readdirSync(join(project, top), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.m?[jt]s$/.test(file) && !/(^|\/)node_modules\//.test(file))
		.map((file) => `${top}/${file}`),
);

const read = (file: string) => readFileSync(join(project, file), 'utf8');

/** The files of the project that a file imports, types included. */
function importsOf(file: string): string[] {
	return ts
		.preProcessFile(read(file), true, true)
		.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
		.flatMap(({ fileName }) => {
			const target = join(dirname(file), fileName);
			const found = [target, `${target}.ts`, join(target, 'index.ts')];
			return found.find((path) => files.includes(path) && existsSync(join(project, path))) ?? [];
		});
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

const folderOf = (file: string) =>
	file.startsWith(house)
		? (/^([^/]+)\//.exec(file.slice(house.length))?.[1] ?? 'node files')
		: dirname(file);

/** The files of the nodes that are in a folder. */
const membersOf = (folder: string) =>
	files.filter((file) => file.startsWith(house) && folderOf(file) === folder);

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

it('Unicode is normalized in one place, which bounds what it costs', () => {
	const normalizing = files.filter(
		(file) => file.startsWith(house) && read(file).includes('.normalize('),
	);
	expect(normalizing).toEqual([`${house}lib/text.ts`]);
});

it.each(['dns', 'email', 'lib'])('%s/ imports nothing of n8n', (folder) => {
	const importing = membersOf(folder).filter((file) => read(file).includes("'n8n-workflow'"));
	expect(importing).toEqual([]);
});

it('no imports go round in a circle, in the whole repository', () => {
	expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
	expect(findCircle()).toBeUndefined();
});

const folders = new Set(files.filter((file) => file.startsWith(house)).map(folderOf));

it.each([...folders])('%s imports only from folders below', (folder) => {
	const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
	const others = membersOf(folder)
		.flatMap((file) => (imports.get(file) ?? []).map((target) => [file, target]))
		.filter(([, target = '']) => !allowed.includes(folderOf(target)));
	expect(others).toEqual([]);
});
