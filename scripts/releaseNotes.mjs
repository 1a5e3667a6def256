/**
 * Prints what changed in a release, for its notes: `node scripts/releaseNotes.mjs v1.2.3`. Fails unless
 * the tag, the package and the changelog agree about the version, so that nothing half-named is published.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { releaseNotes } from './release/changelog.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const tag = process.argv[2] ?? '';
	const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
	if (tag !== `v${version}`) {
		throw new SetupFailure(`The tag "${tag}" is not "v${version}", the version in package.json.`);
	}
	const notes = releaseNotes(readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8'), version);
	if (!notes) throw new SetupFailure(`CHANGELOG.md says nothing about ${version}.`);
	process.stdout.write(`${notes}\n`);
});
