import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, installedOnce } from './cache.mjs';
import { npm } from './command.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';

/**
 * Gives Verdaccio, an npm registry, as `test/registry` pins it; installed at first use, beside the n8n hosts.
 *
 * @returns {Promise<{ program: string }>} the path of what Node runs
 * @throws {import('./failure.mjs').SetupFailure} when it is not there and cannot be installed
 */
export async function registry() {
	const pins = join(projectFolder, 'test/registry');
	const lockfile = readFileSync(join(pins, 'package-lock.json'));
	const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
	const folder = await installedOnce(join(cacheFolder(), 'registry', hash), (temporary) => {
		for (const file of ['package.json', 'package-lock.json']) {
			copyFileSync(join(pins, file), join(temporary, file));
		}
		return whileSaying(
			'Installing a registry to rehearse the release with',
			() =>
				npm(['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
					cwd: temporary,
				}),
			{ usually: '20 s' },
		);
	});
	return { program: join(folder, 'node_modules/verdaccio/bin/verdaccio') };
}
