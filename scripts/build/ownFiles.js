const path = require('node:path');

/** Where the files are that import something dynamically, once they are bundled. */
const NODE_FOLDER = path.resolve('nodes/EmailIdentity');

/**
 * esbuild plugin: what is imported dynamically stays a file of its own, which is required when the import is reached.
 * (esbuild splits code by itself only between ES modules, while n8n loads CommonJS.) Our own modules do nothing when
 * they are loaded, so that one of which nothing is used is left out.
 */
exports.ownFiles = {
	name: 'own-files',
	setup(build) {
		build.onResolve({ filter: /^\./ }, async ({ kind, path: name, ...origin }) => {
			if (origin.pluginData === 'resolving' || /node_modules/.test(origin.importer))
				return undefined;
			const found = await build.resolve(name, { ...origin, kind, pluginData: 'resolving' });
			if (found.errors.length > 0) return found;
			if (kind !== 'dynamic-import') return { path: found.path, sideEffects: false };
			const file = path.relative(NODE_FOLDER, found.path).split(path.sep).join('/');
			return { path: `./${file.replace(/\.ts$/, '.js')}`, external: true };
		});
	},
};
