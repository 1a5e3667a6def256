const path = require('node:path');

/** What the MIME library exports for others than us, by the file it is in. */
const UNREACHED = {
	// Forwarded messages stay files (`forceRfc822Attachments`): nothing is written into the text about them.
	'text-format': ['formatTextHeader', 'formatHtmlHeader'],
	// Attachments are taken as bytes.
	'base64-encoder': ['base64ArrayBuffer'],
};

const WHOLE = '?whole';

/** esbuild plugin: leaves out of the MIME library what is never called with the options that we give it. */
exports.unreached = {
	name: 'unreached',
	setup(build) {
		for (const [name, functions] of Object.entries(UNREACHED)) {
			const filter = new RegExp(`postal-mime[\\\\/]dist[\\\\/]esm[\\\\/]${name}\\.js$`);
			build.onLoad({ filter }, ({ path: file, suffix }) => {
				if (suffix === WHOLE) return undefined;
				const missing = functions.map((one) => `export const ${one} = undefined;`);
				return {
					contents: [`export * from './${name}.js${WHOLE}';`, ...missing].join('\n'),
					resolveDir: path.dirname(file),
				};
			});
		}
	},
};
