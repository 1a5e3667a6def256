import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(__dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
	version: string;
};

const releaseNotesFor = (tag: string) =>
	spawnSync(process.execPath, ['scripts/releaseNotes.mjs', tag], {
		cwd: project,
		encoding: 'utf8',
	});

describe('the notes of a release', () => {
	it("are the version's own section of the changelog", () => {
		const { status, stdout } = releaseNotesFor(`v${version}`);
		expect(status).toBe(0);
		expect(stdout.trim()).toMatch(/^### /);
		expect(stdout).not.toMatch(/^## /m);
		expect(stdout).not.toMatch(/^\[.*\]: /m);
	});

	it('stop the release when the tag names another version than the package', () => {
		const { status, stdout, stderr } = releaseNotesFor('v99.0.0');
		expect(status).toBe(1);
		expect(stdout).toBe('');
		expect(stderr).toContain(`"v${version}"`);
	});
});
