/**
 * Builds, packs and publishes the package, as the workflow `publish.yml` does. Options go to `npm publish`:
 * `node scripts/publish.mjs --registry http://localhost:4873 --provenance=false` for a registry of your own. To npm it
 * gets only from that workflow: package.json asks for provenance, which npm gives to nothing else.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packPackage } from './release/packPackage.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-publish-'));
	try {
		const tarball = await packPackage(folder);
		const { status } = spawnSync(
			'npm',
			['publish', tarball, '--ignore-scripts', ...process.argv.slice(2)],
			{ cwd: projectFolder, stdio: 'inherit' },
		);
		if (status !== 0) throw new SetupFailure('npm did not publish the package: it says why above.');
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
