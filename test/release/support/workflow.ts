import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

interface Workflow {
	jobs: { publish: { steps: { uses?: string; run?: string }[] } };
}

const COMMAND_TIMEOUT_MS = 300_000;

const PUBLISHING = 'node scripts/publish.mjs';

/** A rehearsal leaves out installation, tests, the questions to npm, and GitHub's part. */
const LEFT_OUT = [
	'npm ci',
	'sudo apt-get',
	'npm test',
	'npm run scan',
	'npm run audit',
	'gh release create',
];

/** The commands of the workflow `publish.yml`, in order. */
export function publishCommands(clone: string): string[] {
	const file = readFileSync(join(clone, '.github/workflows/publish.yml'), 'utf8');
	const { jobs } = parse(file) as Workflow;
	return jobs.publish.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
}

/** Sets a clone's version in package.json and in the changelog, as for a release. */
export function setVersion(clone: string, version: string): void {
	const change = (name: string, pattern: RegExp, replacement: string) => {
		const file = join(clone, name);
		writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, replacement));
	};
	change('package.json', /"version": "[^"]+"/, `"version": "${version}"`);
	change('CHANGELOG.md', /^## \[/m, `## [${version}]\n\n### Added\n\n- Something.\n\n## [`);
}

/**
 * Publishes a clone by the commands of its own workflow, as if its version had been tagged.
 *
 * @param options of npm, for another registry than npm's, which also gives no provenance
 * @throws Error with what a command wrote, when it fails
 */
export async function publishByWorkflow(
	clone: string,
	version: string,
	options: string[],
): Promise<void> {
	const commands = publishCommands(clone).filter(
		(command) => !LEFT_OUT.some((begin) => command.startsWith(begin)),
	);
	for (const command of commands) {
		const elsewhere = command === PUBLISHING ? `${command} ${options.join(' ')}` : command;
		await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', elsewhere], {
			cwd: clone,
			env: { ...process.env, GITHUB_REF_NAME: `v${version}` },
			timeout: COMMAND_TIMEOUT_MS,
		});
	}
}
