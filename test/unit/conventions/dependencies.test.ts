import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const project = resolve(__dirname, '../../..');

/** The folders of the nodes and of the library, each with those that it may import from, besides itself (`docs/architecture.md`). */
const MAY_IMPORT: Record<string, readonly string[]> = {
	'nodes/EmailIdentity': ['operations', 'listSearch', 'trigger', 'shared', 'api', 'basics'],
	operations: ['shared', 'api', 'proof', 'dns', 'email', 'basics'],
	listSearch: ['shared', 'api', 'basics'],
	trigger: ['shared', 'api', 'proof', 'dns', 'email', 'basics'],
	shared: ['api', 'proof', 'dns', 'email', 'basics'],
	api: ['basics'],
	proof: ['dns', 'email', 'basics'],
	dns: ['basics'],
	email: ['basics'],
	basics: [],
};

const files = ['nodes', 'lib', 'credentials', 'sandbox', 'scripts', 'benchmarks', 'test'].flatMap(
	(top) =>
		readdirSync(join(project, top), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.m?[jt]s$/.test(file) && !/(^|\/)node_modules\//.test(file))
			.map((file) => `${top}/${file}`),
);

const published = files.filter((file) => /^(?:nodes|lib)\//.test(file));

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
	/^(?:nodes\/EmailIdentity|lib)\/([^/]+)\//.exec(file)?.[1] ?? dirname(file);

/** The files of the nodes or the library that are in a folder. */
const membersOf = (folder: string) => published.filter((file) => folderOf(file) === folder);

/** What is left after all files were taken away that import none of the others, or that none of them imports. */
function filesInCircles(): string[] {
	let left = new Set(files);
	for (;;) {
		const imported = new Set([...left].flatMap((file) => imports.get(file) ?? []));
		const inside = [...left].filter(
			(file) => imported.has(file) && imports.get(file)?.some((one) => left.has(one)),
		);
		if (inside.length === left.size) return inside;
		left = new Set(inside);
	}
}

it('Unicode is normalized in one place, which bounds what it costs', () => {
	const normalizing = published.filter((file) => read(file).includes('.normalize('));
	expect(normalizing).toEqual(['lib/basics/text.ts']);
});

it('hosts and URLs are parsed in one place, which bounds what that costs', () => {
	const parsing = [...published, ...files.filter((file) => file.startsWith('credentials/'))].filter(
		(file) =>
			/new URL\(|\bURL\.(?:canParse|parse)\(|domainTo(?:ASCII|Unicode)|toASCII\(/.test(read(file)),
	);
	expect(parsing).toEqual(['lib/basics/hosts.ts']);
});

it('the library imports nothing of n8n, and nothing of the nodes', () => {
	const library = published.filter((file) => file.startsWith('lib/'));
	const importing = library.filter(
		(file) =>
			read(file).includes("'n8n-workflow'") ||
			imports.get(file)?.some((target) => !target.startsWith('lib/')),
	);
	expect(importing).toEqual([]);
});

/** The names that a file declares at its top level, without constants of its own such as `MAX_LENGTH`. */
function namesIn(file: string): string[] {
	const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
	return statements.flatMap((statement) => {
		if (!ts.isVariableStatement(statement)) {
			const { name } = statement as ts.DeclarationStatement;
			return name && ts.isIdentifier(name) ? [name.text] : [];
		}
		const isExported = statement.modifiers?.some(
			({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
		);
		return statement.declarationList.declarations
			.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
			.filter((name) => isExported || !/^[A-Z\d_]+$/.test(name));
	});
}

it('a function, type or exported constant has a name that no other file uses for something else', () => {
	const sources = published.filter((file) => !file.endsWith('.d.ts'));
	const names = sources.flatMap((file) => [...new Set(namesIn(file))]);
	const known = new Set<string>();
	const doubled = names.filter((name) => known.has(name) || !known.add(name));
	expect(names.length).toBeGreaterThan(1000);
	expect(doubled).toEqual([]);
});

it('a folder of the library is imported from outside through its index alone', () => {
	const inner = published.flatMap((file) =>
		(imports.get(file) ?? [])
			.filter((target) => target.startsWith('lib/') && folderOf(target) !== folderOf(file))
			.filter((target) => !/^lib\/[^/]+\/index\.ts$/.test(target))
			.map((target) => `${file}: ${target}`),
	);
	expect(inner).toEqual([]);
});

it('no imports go round in a circle, in the whole repository', () => {
	expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
	expect(filesInCircles()).toEqual([]);
});

it.each(Object.keys(MAY_IMPORT))('%s imports only from folders below', (folder) => {
	const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
	expect(membersOf(folder)).not.toEqual([]);
	const others = membersOf(folder)
		.flatMap((file) => (imports.get(file) ?? []).map((target) => [file, target]))
		.filter(([, target = '']) => !allowed.includes(folderOf(target)));
	expect(others).toEqual([]);
});

/** The rooms of `lib/email`, each with those that it may import from, besides itself and the limits above them. */
const ROOMS: Record<string, readonly string[]> = {
	reports: ['message', 'mime', 'words'],
	reply: ['message', 'text', 'mime', 'words'],
	files: ['text', 'mime'],
	text: ['mime'],
	message: ['mime', 'words'],
	mime: [],
	words: [],
};

const LIMITS_OF_EMAILS = 'lib/email/limits.ts';

const emailRoomOf = (file: string) => /^lib\/email\/([^/]+)\//.exec(file)?.[1];

it('the rooms of lib/email import only from rooms below', () => {
	const rooms = new Set(membersOf('email').flatMap((file) => emailRoomOf(file) ?? []));
	expect([...rooms].sort()).toEqual(Object.keys(ROOMS).sort());
	const others = membersOf('email').flatMap((file) => {
		const room = emailRoomOf(file);
		if (room === undefined) return [];
		const allowed = [room, ...(ROOMS[room] ?? [])];
		const targets = (imports.get(file) ?? []).filter((target) => folderOf(target) === 'email');
		return targets.filter(
			(target) => target !== LIMITS_OF_EMAILS && !allowed.includes(emailRoomOf(target) ?? ''),
		);
	});
	expect(others).toEqual([]);
});

it('a unit test has the path of what it tests, or is about a promise of several files', () => {
	const elsewhere = files
		.flatMap(
			(file) => /^test\/unit\/(?!conventions\/|guarantees\/)(.+)\.test\.ts$/.exec(file)?.[1] ?? [],
		)
		.filter(
			(path) =>
				![`nodes/EmailIdentity/${path}.ts`, `${path}.ts`].some((one) => files.includes(one)),
		);
	expect(elsewhere).toEqual([]);
});

/** The rooms within two folders, each with those that it may import from, besides itself and the files directly in the folder. */
const INNER_ROOMS: Record<string, Record<string, readonly string[]>> = {
	'lib/email/text': {
		write: ['blocks'],
		blocks: ['walk', 'styles', 'html'],
		walk: ['styles', 'html'],
		styles: ['html'],
		html: [],
	},
	'nodes/EmailIdentity/trigger': {
		delivery: ['state', 'settings'],
		hooks: ['subscription', 'state', 'webhooks', 'settings'],
		subscription: ['state', 'webhooks', 'settings'],
		state: ['webhooks', 'settings'],
		webhooks: [],
		settings: [],
	},
	'nodes/EmailIdentity/trigger/delivery': {
		sample: ['steps'],
		steps: ['memory'],
		memory: [],
	},
	'nodes/EmailIdentity/shared': {
		reading: ['editor'],
		editor: [],
	},
	'nodes/EmailIdentity/api': {
		requests: ['failures', 'data'],
		failures: ['data'],
		data: [],
	},
};

/** Files and rooms side by side, more than which nobody takes in at a glance. */
const MAX_CHILDREN = 12;

describe.each(Object.entries(INNER_ROOMS))('in %s', (folder, rooms) => {
	const roomIn = (file: string) =>
		file.startsWith(`${folder}/`)
			? file
					.slice(folder.length + 1)
					.split('/')
					.slice(0, -1)[0]
			: '';
	const inside = published.filter((file) => file.startsWith(`${folder}/`));

	it('rooms import only from rooms below', () => {
		const found = new Set(inside.flatMap((file) => roomIn(file) ?? []));
		expect([...found].sort()).toEqual(Object.keys(rooms).sort());
		const others = inside.flatMap((file) => {
			const room = roomIn(file);
			if (room === undefined) return [];
			const allowed = [room, undefined, '', ...(rooms[room] ?? [])];
			const targets = imports.get(file) ?? [];
			return targets.filter((target) => !allowed.includes(roomIn(target)));
		});
		expect(others).toEqual([]);
	});

	it(`no room has more than ${MAX_CHILDREN} children`, () => {
		const children = new Map<string, Set<string>>();
		for (const file of inside) {
			const [first = '', second] = file.slice(folder.length + 1).split('/');
			const add = (room: string, child: string) =>
				children.set(room, (children.get(room) ?? new Set()).add(child));
			add(folder, first);
			if (second !== undefined) add(`${folder}/${first}`, second);
		}
		const crowded = [...children].filter(([, names]) => names.size > MAX_CHILDREN);
		expect(crowded.map(([room]) => room)).toEqual([]);
	});
});
