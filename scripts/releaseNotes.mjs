/**
 * Prints the notes of a release: `node scripts/releaseNotes.mjs v1.2.3`. Fails unless the tag, the package and the changelog
 * have the same version.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runScript, SetupFailure } from './setup/failure.mjs';
import { projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const tag = process.argv[2] ?? '';
	const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
	if (tag !== `v${version}`) {
		throw new SetupFailure(`The tag "${tag}" is not "v${version}", the version in package.json.`);
	}
	const notes = notesOf(readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8'), version);
	if (!notes) throw new SetupFailure(`CHANGELOG.md says nothing about ${version}.`);
	process.stdout.write(`${notes}\n`);
});

/**
 * The text below a version's heading in a changelog (keepachangelog.com); empty when there is none.
 *
 * @param {string} changelog
 * @param {string} version
 */
function notesOf(changelog, version) {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
	const [, ...lines] = section.split('\n');
	const isLink = (/** @type {string} */ line) => /^\[[^\]]+\]: /.test(line);
	const firstLink = lines.findIndex(isLink);
	const notes = firstLink === -1 ? lines : lines.slice(0, firstLink);
	return notes.join('\n').trim();
}
