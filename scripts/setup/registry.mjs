import { join } from 'node:path';
import { cacheFolder, installedOnce, pinsIn } from './cache.mjs';
import { npm } from './command.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';

/** Gives Verdaccio, an npm registry, as `test/registry` pins it; installed at first use, beside the n8n hosts. */
export async function registry() {
	const pins = pinsIn(join(projectFolder, 'test/registry'));
	const folder = await installedOnce(join(cacheFolder(), 'registry', pins.hash), (temporary) => {
		pins.copyTo(temporary);
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
