import { join } from 'node:path';
import { cacheFolder, installedOnce, pinsIn } from './cache.mjs';
import { npm } from './command.mjs';
import { installProgress } from './installProgress.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';

/**
 * Returns Verdaccio, an npm registry, pinned by `test/registry` and installed into the cache at first use.
 *
 * @returns {Promise<{ program: string }>}
 */
export async function registry() {
	const pins = pinsIn(join(projectFolder, 'test/registry'));
	const folder = await installedOnce(
		join(cacheFolder(), 'registry', pins.hash),
		async (temporary) => {
			pins.copyTo(temporary);
			await whileSaying(
				'Installing a registry to rehearse the release with',
				() =>
					npm(['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
						cwd: temporary,
					}),
				{ progress: installProgress(temporary, pins.packages) },
			);
		},
	);
	return { program: join(folder, 'node_modules/verdaccio/bin/verdaccio') };
}
