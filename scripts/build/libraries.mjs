import { minify } from 'rolldown/utils';

/** Node has it as a global, and n8n allows no import of it. */
const BUFFER = 'module.exports = { Buffer };';

/**
 * What `mailauth` requires, and its check of signatures never calls: DNS, HTTPS, streams, images of brands. n8n allows a
 * node none of Node's modules but `crypto`, and a megabyte would be shipped for nothing.
 */
const MAILAUTH = {
	'node:buffer': BUFFER,
	'node:dns': 'module.exports = { promises: {} };',
	'node:https': 'module.exports = {};',
	'node:stream': 'class Stream {} module.exports = { Transform: Stream, Writable: Stream };',
	'../arc': 'module.exports = { getARChain: () => false };',
	'../package': 'module.exports = {};',
	// Called for one thing: whether a key is base64.
	joi: `const validate = (text) => (/^[A-Za-z0-9+/]*={0,2}$/.test(text) ? {} : { error: new Error('No base64') });
		module.exports = { string: () => ({ base64: () => ({ validate }) }) };`,
	libmime: 'module.exports = {};',
	'nodemailer/lib/addressparser': 'module.exports = () => [];',
	// Our own code compares domains.
	tldts: 'module.exports = {};',
};

const STAND_IN = '/not-called/';

/** The innermost package that a file belongs to; undefined for own code. */
export function libraryOf(file) {
	const found = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(file ?? '');
	return found === null ? undefined : { folder: found[1], name: found[2].replace(/[\\/]/, '-') };
}

const standInFor = (name, library) =>
	library?.name === 'mailauth' && Object.hasOwn(MAILAUTH, name)
		? MAILAUTH[name]
		: library !== undefined && name === 'buffer' && BUFFER;

/** Puts a stand-in where a library requires what n8n forbids. `test/checks/package` shows that none is called. */
const standIns = {
	name: 'stand-ins',
	resolveId(name, importer) {
		const library = libraryOf(importer);
		const isNeeded = Boolean(standInFor(name, library));
		return isNeeded ? `${library.folder}${STAND_IN}${encodeURIComponent(name)}.cjs` : null;
	},
	load(file) {
		const [, name] = file.split(STAND_IN);
		if (name === undefined) return null;
		return { code: standInFor(decodeURIComponent(name.replace(/\.cjs$/, '')), libraryOf(file)) };
	},
	/** The function of `mailauth` that reads emails from streams has a timer, which a node may not so much as name. */
	transform(code, file) {
		const hasTimer = libraryOf(file)?.name === 'mailauth' && code.includes('setImmediate(');
		return hasTimer ? { code: code.replaceAll('setImmediate(', 'notCalled(') } : null;
	},
};

/** You can read a library where its authors publish it. */
const minifiedLibraries = {
	name: 'minified-libraries',
	// `renderChunk` would print the numbers of the public suffix list on a line each.
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			if (!chunk.fileName.startsWith('libraries/')) continue;
			chunk.code = (await minify(chunk.fileName, chunk.code)).code;
		}
	},
};

const EXPORT =
	/Object\.defineProperty\(exports, "(\w+)", \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([\w$.]+);\s*\}\s*\}\);\s*/g;

/** Each export would take six lines, and there are about 170. */
const shortExports = {
	name: 'short-exports',
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			const getters = [];
			const code = chunk.code?.replace(EXPORT, (_match, name, value) => {
				getters.push(`\t${name}: () => ${value},\n`);
				return '';
			});
			if (getters.length === 0) continue;
			const define = 'Object.defineProperty(exports, name, { enumerable: true, get })';
			chunk.code = `${code}for (const [name, get] of Object.entries({\n${getters.join('')}})) ${define};\n`;
		}
	},
};

export const libraryPlugins = [standIns, shortExports, minifiedLibraries];
