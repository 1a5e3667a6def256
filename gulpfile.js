const { readFile, rename, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');

const { dest, series, src } = require('gulp');
const { rolldown } = require('rolldown');

/** n8n requires these at its start, by the paths in package.json. */
const entryPoints = [
	'credentials/EmailIdentityApi.credentials',
	'nodes/EmailIdentity/EmailIdentity.node',
	'nodes/EmailIdentity/EmailIdentityTrigger.node',
];

const assets = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

/** n8n and Node provide these. Everything else is bundled, because n8n allows no dependencies. */
const provided = ['n8n-workflow', 'crypto', 'node:crypto'];

/**
 * The build appears in `dist` at once, so that half of it is never packed or loaded. Until then it is beside it, because
 * `node_modules` may be on another file system.
 */
const unfinished = `dist.unfinished-${process.pid}`;
const previous = `dist.previous-${process.pid}`;

const remove = (folder) => rm(folder, { recursive: true, force: true });

const ignoreMissing = (error) => {
	if (error.code !== 'ENOENT') throw error;
};

const NO_ENTRY_POINT = /^(?!.*\.(?:credentials|node)\.ts$)/;

const ROOM = /^(?!.*node_modules).*[\\/](lib[\\/]\w+|nodes[\\/]EmailIdentity[\\/]api)[\\/]/;

/** Code that is imported with `import()` is loaded late. Own code stays readable; each library is a minified file of its own. */
async function bundle() {
	const { libraryOf, libraryPlugins } = await import('./scripts/build/libraries.mjs');
	const build = await rolldown({
		input: Object.fromEntries(entryPoints.map((name) => [name, `${name}.ts`])),
		platform: 'node',
		external: provided,
		plugins: libraryPlugins,
	});
	const { output } = await build.write({
		dir: unfinished,
		format: 'cjs',
		entryFileNames: '[name].js',
		chunkFileNames: ({ name }) => `${name.includes('/') ? '' : 'nodes/EmailIdentity/'}${name}.js`,
		comments: { jsdoc: false, annotation: false },
		// n8n can `require` from every place that it loads a node from, but not always `import()`.
		dynamicImportInCjs: false,
		codeSplitting: {
			groups: [
				// One file for what is loaded at n8n's start, because each file takes time. The entry points are files of their own.
				{
					tags: ['$initial'],
					test: NO_ENTRY_POINT,
					name: 'nodes/EmailIdentity/start',
					priority: 1,
				},
				{
					test: /node_modules/,
					// npm packs files in the order of their names: libraries first and own code together take 1 KB less.
					name: (file) => `libraries/${libraryOf(file)?.name}/all`,
					debugName: 'libraries',
				},
				// A file for each folder whose files are loaded together.
				{
					test: ROOM,
					name: (file) => ROOM.exec(file)?.[1]?.replaceAll('\\', '/') ?? null,
					debugName: 'rooms',
				},
			],
		},
	});
	await build.close();
	const modules = output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []));
	await writeLicences(new Set(modules.flatMap((file) => libraryOf(file)?.folder ?? [])));
}

async function writeLicences(folders) {
	const licences = await Promise.all([...folders].sort().map(readLicence));
	const named = new Map();
	const notices = licences.map(({ heading, text }) => {
		const [, copyright = '', permission = ''] =
			/^(.*?)(Permission is hereby granted.*)?$/s.exec(text) ?? [];
		const first = named.get(plainWords(permission));
		if (first === undefined) named.set(plainWords(permission), heading);
		const rest =
			first === undefined || permission === '' ? permission : `Permission as for ${first}.`;
		return `${heading}\n${'-'.repeat(heading.length)}\n\n${copyright}${rest}\n`;
	});
	await writeFile(
		path.join(unfinished, 'THIRD-PARTY-LICENSES.txt'),
		`The files in this folder contain code of these packages:\n\n${notices.join('\n')}`,
	);
}

/** Most licences differ in their line breaks only. */
const plainWords = (text) =>
	text
		.toLowerCase()
		.match(/[a-z]+/g)
		?.join(' ');

async function readLicence(folder) {
	const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
	const heading = `${name} ${version} (${license})`;
	for (const file of ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'LICENSE-MIT.txt', 'LICENCE']) {
		const text = await readFile(path.join(folder, file), 'utf8').catch(ignoreMissing);
		if (text) return { heading, text: text.trim() };
	}
	throw new Error(`${name} is bundled, but its licence was not found`);
}

/** Programs alone read the JSON files, so they need no blanks. */
const compactJson = () =>
	new Transform({
		objectMode: true,
		transform(file, _, done) {
			if (file.extname === '.json') {
				file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
			}
			done(null, file);
		},
	});

const copyAssets = () =>
	src(assets, { base: '.', encoding: false }).pipe(compactJson()).pipe(dest(unfinished));

async function putInPlace() {
	await rename('dist', previous).catch(ignoreMissing);
	await rename(unfinished, 'dist');
	await remove(previous);
}

const steps = series(() => remove(unfinished), bundle, copyAssets, putInPlace);

/** A build that fails leaves nothing behind. */
function build(done) {
	steps((error) => void remove(unfinished).then(() => done(error), done));
}

exports.build = build;
exports.default = build;
