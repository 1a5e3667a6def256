const { readFile, rename, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const { dest, parallel, series, src } = require('gulp');
const { rolldown } = require('rolldown');
const { minify } = require('rolldown/utils');

/** What n8n requires at its start: the descriptions that the editor shows. */
const entryPoints = [
	'credentials/EmailIdentityApi.credentials.ts',
	'nodes/EmailIdentity/EmailIdentity.node.ts',
	'nodes/EmailIdentity/EmailIdentityTrigger.node.ts',
];

/** What the nodes do. They require it when one of them is first used. */
const runtime = 'nodes/EmailIdentity/runtime.ts';

/** What n8n looks for beside the code: icons, search words and the shapes of the outputs. */
const assets = [
	'icons/*.svg',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
	'credentials/**/*.svg',
];

/** Provided by n8n and by Node; everything else is bundled, because n8n allows no dependencies. */
const provided = ['n8n-workflow', 'crypto', 'node:crypto'];

/** What libraries import of Node although it is there for everybody: n8n allows no import of it. */
const STAND_INS = {
	buffer: 'const known = Buffer; export { known as Buffer };',
};

/** The package that a file belongs to: the innermost folder of `node_modules` that it is in. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** Modules that are in no file are marked like this. */
const VIRTUAL = '\0';
const STAND_IN = `${VIRTUAL}stand-in:`;

const LIBRARIES = 'libraries/';

/** Built aside and then put in place at once, so that nobody packs or loads half a build. */
const unfinished = path.join('node_modules', '.cache', `email-identity-build-${process.pid}`);

function clean() {
	return rm(unfinished, { recursive: true, force: true });
}

async function putInPlace() {
	const previous = `${unfinished}-previous`;
	await rename('dist', previous).catch(unlessMissing);
	await rename(unfinished, 'dist');
	await rm(previous, { recursive: true, force: true });
}

function unlessMissing(error) {
	if (error.code !== 'ENOENT') throw error;
}

async function bundle() {
	const chunks = (await Promise.all([...entryPoints, runtime].map(bundleOne))).flat();
	await writeLicences(packageFolders(chunks));
}

/**
 * Each of them is bundled by itself and holds only what it uses: of an operation, the node file has the fields, the
 * runtime what is done. Nothing is minified, so that the package can be read as the repository can. What is imported
 * dynamically is required when it is first needed; each library is a file of its own.
 */
async function bundleOne(entryPoint) {
	const { trimmedMailauth } = await import('./scripts/build/trimmedMailauth.mjs');
	const build = await rolldown({
		input: entryPoint,
		platform: 'node',
		external: (name) => provided.includes(name) || name === './runtime',
		plugins: [
			standIns,
			trimmedMailauth,
			minifiedLibraries,
			...(entryPoint === runtime ? [] : [withoutLateFiles]),
		],
		treeshake: {
			// Our own modules do nothing when they are loaded, so that one of which nothing is used is left out; of itself,
			// each library says so or not.
			moduleSideEffects: (file) => (PACKAGE_FOLDER.test(file) ? undefined : false),
			manualPureFunctions: [
				'Array.from',
				'BoundedMap',
				'Map',
				'Object.entries',
				'Object.keys',
				'RegExp',
				'Set',
			],
		},
	});
	const { output } = await build.write({
		dir: path.join(unfinished, path.dirname(entryPoint)),
		format: 'cjs',
		esModule: false,
		strict: true,
		generatedCode: { symbols: false },
		// Whatever n8n loads the node from, it can `require`, but not always `import()`.
		dynamicImportInCjs: false,
		chunkFileNames: ({ facadeModuleId, name, moduleIds }) => {
			if (facadeModuleId !== null) return builtName(facadeModuleId, entryPoint);
			return name.startsWith(LIBRARIES) ? `${name}.js` : commonName(moduleIds, entryPoint);
		},
		codeSplitting: {
			groups: [{ test: PACKAGE_FOLDER, name: libraryName, debugName: 'libraries' }],
		},
	});
	await build.close();
	return output;
}

/** A file that is loaded late is called as in the repository. */
function builtName(file, entryPoint) {
	const name = path.relative(path.dirname(entryPoint), file).replace(/\.ts$/, '.js');
	return name.split(path.sep).join('/');
}

/** Own code that several late files need is called after the folder that its modules have in common. */
function commonName(modules, entryPoint) {
	const files = modules.filter((name) => !name.startsWith(VIRTUAL));
	// What the bundler itself adds, so that one kind of module can use the other.
	if (files.length === 0) return 'interoperation.js';
	const folders = files.map((file) => path.dirname(builtName(file, entryPoint)).split('/'));
	const [first = []] = folders;
	const common = first.filter((_, depth) =>
		folders.every(
			(folder) => folder.slice(0, depth + 1).join() === first.slice(0, depth + 1).join(),
		),
	);
	return path.posix.join(...common, 'shared.js');
}

/** What is imported late belongs to the runtime: a node file, of which only the fields are left, never gets there. */
const withoutLateFiles = {
	name: 'without-late-files',
	resolveId: (name, _importer, { kind }) =>
		kind === 'dynamic-import' ? { id: name, external: true } : null,
};

/** Instead of a module of Node's, what is in it. */
const standIns = {
	name: 'stand-ins',
	resolveId: (name) => (name in STAND_INS ? STAND_IN + name : null),
	load: (id) => (id.startsWith(STAND_IN) ? STAND_INS[id.slice(STAND_IN.length)] : null),
};

/** Whoever wants to read a library reads it where its authors publish it. */
const minifiedLibraries = {
	name: 'minified-libraries',
	// Not in `renderChunk`: what comes of that is printed anew, with a line for each number of the public suffix list.
	async generateBundle(_options, files) {
		const chunks = Object.values(files).filter(({ name = '' }) => name.startsWith(LIBRARIES));
		for (const chunk of chunks) chunk.code = (await minify(chunk.fileName, chunk.code)).code;
	},
};

function libraryName(file) {
	return `${LIBRARIES}${PACKAGE_FOLDER.exec(file)[1].replace(/[\\/]/, '-')}`;
}

/** The folders of the packages whose code ended up in what was built. */
function packageFolders(chunks) {
	const files = chunks.flatMap(({ moduleIds }) => moduleIds);
	const folders = files.map((file) => PACKAGE_FOLDER.exec(file)?.[0]);
	return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

async function writeLicences(folders) {
	const notices = await Promise.all(folders.map(licenceNotice));
	await writeFile(
		path.join(unfinished, 'THIRD-PARTY-LICENSES.txt'),
		`The files in this folder contain code of these packages:\n\n${notices.join('\n')}`,
	);
}

async function licenceNotice(folder) {
	const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
	const text = await readLicence(folder);
	const heading = `${name} ${version} (${license})`;
	return `${heading}\n${'-'.repeat(heading.length)}\n\n${text.trim()}\n`;
}

async function readLicence(folder) {
	for (const name of ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'LICENSE-MIT.txt', 'LICENCE']) {
		const text = await readFile(path.join(folder, name), 'utf8').catch(unlessMissing);
		if (text) return text;
	}
	throw new Error(`${folder} is bundled but has no licence file that could be named`);
}

function copyAssets() {
	return src(assets, { base: '.', encoding: false, allowEmpty: true }).pipe(dest(unfinished));
}

const build = series(clean, parallel(bundle, copyAssets), putInPlace);

exports.build = build;
exports.default = build;
