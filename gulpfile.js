const { mkdir, readFile, rename, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');

const swc = require('@swc/core');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const { ownFiles } = require('./scripts/build/ownFiles');
const { unreached } = require('./scripts/build/unreached');
const { writtenEntities } = require('./scripts/build/writtenEntities');

/** What n8n requires at its start. */
const entryPoints = [
	'credentials/EmailIdentityApi.credentials.ts',
	'nodes/EmailIdentity/EmailIdentity.node.ts',
	'nodes/EmailIdentity/EmailIdentityTrigger.node.ts',
];

/** What these require themselves, once it is needed: everything that is imported dynamically. */
const loadedLate = ['nodes/EmailIdentity/runtime.ts', 'nodes/EmailIdentity/email/mime.ts'];

/** What n8n looks for beside the code: icons, search words and the shapes of the outputs. */
const assets = [
	'icons/*.svg',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
	'credentials/**/*.svg',
];

/** Provided by n8n and by Node; everything else is bundled, because n8n allows no dependencies. */
const external = ['n8n-workflow', 'crypto', 'node:crypto'];

const target = 'node20';

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

/**
 * Each file stands alone and holds only what it uses: of an operation, the node file has the fields, the runtime what
 * is done. So the node files are small, and n8n has to look for no further files at its start.
 */
async function bundle() {
	const { outputFiles, metafile } = await esbuild.build({
		entryPoints: [...entryPoints, ...loadedLate],
		outdir: unfinished,
		outbase: '.',
		bundle: true,
		format: 'esm',
		platform: 'node',
		target,
		external,
		// The MIME library ships both kinds; its ES modules are what can be trimmed.
		mainFields: ['module', 'main'],
		conditions: ['import'],
		plugins: [ownFiles, unreached, writtenEntities],
		charset: 'utf8',
		legalComments: 'none',
		metafile: true,
		write: false,
		logLevel: 'warning',
	});
	await Promise.all(outputFiles.map(writeAsCommonJs));
	await writeLicences(bundledPackages(metafile));
}

/**
 * n8n loads CommonJS. swc writes it, and minifies better than esbuild: it drops the fields of a description of which
 * nothing is used, and moves what is used once to where it is used.
 */
async function writeAsCommonJs({ path: file, text }) {
	const { code } = await swc.transform(text, {
		configFile: false,
		swcrc: false,
		isModule: true,
		// `import()` becomes a lazy `require`, which works wherever n8n loads the node from.
		module: { type: 'commonjs', noInterop: true },
		jsc: {
			target: 'es2022',
			minify: {
				// What is minified is no module any more, so that "use strict" stays.
				module: false,
				toplevel: true,
				compress: { passes: 3, toplevel: true },
				mangle: { toplevel: true },
				format: { comments: false },
			},
		},
		minify: true,
	});
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, code);
}

/** The packages whose code ended up in the bundle, read from what esbuild reports to have put in. */
function bundledPackages(metafile) {
	const inputs = Object.values(metafile.outputs).flatMap((output) =>
		Object.entries(output.inputs)
			.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
			.map(([file]) => file),
	);
	const folders = inputs
		.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
		.filter((folder) => folder !== undefined);
	return [...new Set(folders)].sort();
}

async function writeLicences(packageFolders) {
	const notices = await Promise.all(packageFolders.map(licenceNotice));
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
	for (const name of ['LICENSE', 'LICENSE.txt', 'LICENSE.md', 'LICENCE']) {
		const text = await readFile(path.join(folder, name), 'utf8').catch(unlessMissing);
		if (text) return text;
	}
	throw new Error(`${folder} is bundled but has no licence file that could be named`);
}

function copyAssets() {
	return src(assets, { base: '.', encoding: false, allowEmpty: true })
		.pipe(jsonWithoutBlanks())
		.pipe(dest(unfinished));
}

function jsonWithoutBlanks() {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			if (file.extname === '.json') {
				file.contents = Buffer.from(JSON.stringify(JSON.parse(String(file.contents))));
			}
			done(null, file);
		},
	});
}

const build = series(clean, parallel(bundle, copyAssets), putInPlace);

exports.build = build;
exports.default = build;
