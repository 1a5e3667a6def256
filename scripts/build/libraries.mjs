import { minify } from 'rolldown/utils';

/** The folder of a package, and its name: its path within `node_modules`, or after its scope. */
const PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;

/**
 * The innermost package that a file belongs to.
 *
 * @param {string | null | undefined} file
 * @returns {{ folder: string, name: string } | undefined} undefined for own code
 */
export function libraryOf(file) {
	const [, folder, name = ''] = PACKAGE.exec(file ?? '') ?? [];
	if (folder === undefined) return undefined;
	return { folder, name: name.replace('\\', '/') };
}

const BUFFER = 'global-buffer.cjs';

/** Node has it as a global, and n8n allows no import of it. */
const globalBuffer = {
	name: 'global-buffer',
	resolveId(name, importer) {
		const library = name === 'buffer' ? libraryOf(importer) : undefined;
		return library === undefined ? null : `${library.folder}/${BUFFER}`;
	},
	load: (file) => (file.endsWith(`/${BUFFER}`) ? 'module.exports = { Buffer };' : null),
};

/** You can read a library where its authors publish it. */
const minifiedLibraries = {
	name: 'minified-libraries',
	// `renderChunk` would print the numbers of the public suffix list on a line each.
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			if (!chunk.fileName.startsWith('libraries/')) continue;
			const { code } = await minify(chunk.fileName, chunk.code, { mangle: { toplevel: true } });
			chunk.code = code;
		}
	},
};

const EXPORT =
	/Object\.defineProperty\(exports, "(\w+)", \{\s*enumerable: true,\s*get: function\(\) \{\s*return ([\w$.]+);\s*\}\s*\}\);\s*/g;

/** Each export would take six lines, and there are about 250. They stand at the end of the file, where their values do not change any more. */
const shortExports = {
	name: 'short-exports',
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			const exported = [];
			const code = chunk.code?.replace(EXPORT, (_match, name, value) => {
				exported.push(name === value ? `\t${name},\n` : `\t${name}: ${value},\n`);
				return '';
			});
			if (exported.length === 0) continue;
			chunk.code = `${code}Object.assign(exports, {\n${exported.join('')}});\n`;
		}
	},
};

const STRING_OR_NUMBER = String.raw`(?:"(?:[^"\\\n]|\\.)*"|-?\d[\w.]*)`;
const LIST_OF_LINES = new RegExp(
	String.raw`\[\n\t+${STRING_OR_NUMBER}(?:,\n\t+${STRING_OR_NUMBER})*\n\t*\]`,
	'g',
);

/** Each word of a list would take a line, and there are about 2,000. */
const shortLists = {
	name: 'short-lists',
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			chunk.code = chunk.code?.replace(LIST_OF_LINES, (list) =>
				list.replace(/,\n\t+/g, ', ').replace(/\n\t*/g, ''),
			);
		}
	},
};

/** The line above each file's code names it. Most are in one folder. */
const shortNames = {
	name: 'short-names',
	async generateBundle(_options, files) {
		for (const chunk of Object.values(files)) {
			chunk.code = chunk.code?.replace(/^\/\/ nodes\/EmailIdentity\//gm, '// ');
		}
	},
};

export const libraryPlugins = [
	globalBuffer,
	shortExports,
	shortLists,
	shortNames,
	minifiedLibraries,
];
