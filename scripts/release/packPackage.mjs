import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { npm } from '../setup/command.mjs';
import { SetupFailure } from '../setup/failure.mjs';
import { projectFolder } from '../setup/project.mjs';

/** npm puts these into every package, besides the `files` of package.json. */
const BESIDES_THE_BUILD = ['README.md', 'LICENSE'];

/**
 * @typedef {object} Manifest a package.json
 * @property {string} name
 * @property {string} version
 * @property {string[]} files
 * @property {{ url: string }} repository
 * @property {{ nodes: string[], credentials: string[] }} n8n paths of compiled files
 */

/**
 * Builds this clone and packs what users get: the only way to a package that can be published.
 *
 * The project's `.npmrc` keeps npm from running scripts, so `npm publish` alone would pack whatever is in `dist`. Therefore package.json says
 * `private`, which npm refuses to publish, and the packed one does not.
 *
 * @param {string} destination a folder
 * @returns {Promise<string>} the tarball's path
 * @throws {SetupFailure} if it lacks a node or credential that package.json names
 */
export async function packPackage(destination) {
	await npm(['run', 'build'], { cwd: projectFolder });
	const staging = await mkdtemp(join(tmpdir(), 'email-identity-staging-'));
	try {
		const manifest = await stage(staging);
		await requireEntryPoints(manifest, staging);
		await npm(['pack', '--ignore-scripts', '--pack-destination', destination], { cwd: staging });
		return join(destination, `${manifest.name}-${manifest.version}.tgz`);
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
}

/**
 * Puts what is packed into a folder, with a package.json that is not private and holds only what users need.
 *
 * @param {string} folder
 * @returns {Promise<Manifest>}
 */
async function stage(folder) {
	const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
	for (const name of ['private', 'scripts', 'devDependencies', 'overrides']) delete manifest[name];
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
	for (const name of [...BESIDES_THE_BUILD, ...manifest.files]) {
		await cp(join(projectFolder, name), join(folder, name), { recursive: true });
	}
	const readme = join(folder, 'README.md');
	await writeFile(readme, withPicturesOfRelease(await readFile(readme, 'utf8'), manifest));
	return manifest;
}

/**
 * npm completes relative addresses of pictures, but not in `srcset`, so it would show none in a dark theme.
 *
 * @param {string} readme
 * @param {Manifest} manifest
 */
function withPicturesOfRelease(readme, { repository, version }) {
	const [, name = ''] = /github\.com\/(.+?)(?:\.git)?$/.exec(repository.url) ?? [];
	const folder = `https://raw.githubusercontent.com/${name}/v${version}/`;
	return readme.replace(/\b(src|srcset)="(?=docs\/)/g, `$1="${folder}`);
}

/**
 * @param {Manifest} manifest
 * @param {string} folder
 */
async function requireEntryPoints({ n8n }, folder) {
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const { size } = await stat(join(folder, file)).catch(() => ({ size: 0 }));
		if (size === 0) {
			throw new SetupFailure(`package.json names ${file}, but the build made no such file.`);
		}
	}
}
