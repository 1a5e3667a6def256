/**
 * Builds and packs what users get, into the folder that is named or this one, and prints the tarball's path:
 * `npm run package -- ../releases`.
 */
import { resolve } from 'node:path';

import { packPackage } from './release/packPackage.mjs';
import { runScript } from './setup/failure.mjs';

await runScript(async () => {
	const tarball = await packPackage(resolve(process.argv[2] ?? '.'));
	process.stdout.write(`${tarball}\n`);
});
