import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

interface Workflow {
	jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string }[] }>;
}

const COMMAND_TIMEOUT_MS = 300_000;

/** A rehearsal does not install, test or use GitHub. */
const LEFT_OUT = ['npm ci', 'npm test', 'gh release create'];

export function publishWorkflow(clone: string): Workflow {
	const file = readFileSync(join(clone, '.github/workflows/publish.yml'), 'utf8');
	return parse(file) as Workflow;
}

export function commandsOf({ jobs }: Workflow, job: string): string[] {
	return (jobs[job]?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]));
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
 * Publishes a clone with the commands of its own workflow, as if its version had been tagged. The second job has only the files
 * of the first one.
 *
 * @param options of npm, for a registry other than npm's, and without provenance
 * @param handOver can change the files between the jobs
 * @throws Error with the output of a command that fails
 */
export async function publishByWorkflow(
	clone: string,
	version: string,
	options: string[],
	handOver: (folder: string) => void = () => undefined,
): Promise<void> {
	const workflow = publishWorkflow(clone);
	const elsewhere = mkdtempSync(join(tmpdir(), 'email-identity-publishing-'));
	const outputs = join(elsewhere, 'outputs');
	const environment = {
		...process.env,
		GITHUB_REF_NAME: `v${version}`,
		GITHUB_OUTPUT: outputs,
		// A silent npm that runs these tests would hand that on.
		npm_config_loglevel: 'notice',
	};
	const run = async (job: string, cwd: string, more: Record<string, string> = {}) => {
		const commands = commandsOf(workflow, job).filter(
			(command) => !LEFT_OUT.some((begin) => command.startsWith(begin)),
		);
		for (const command of commands) {
			const isPublishing = command.startsWith('npm publish');
			const line = isPublishing ? `${command} ${options.join(' ')}` : command;
			await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], {
				cwd,
				env: { ...environment, ...more },
				timeout: COMMAND_TIMEOUT_MS,
			});
		}
	};
	try {
		await run('build', clone);
		const [, DIGEST = ''] = /^digest=(.+)$/m.exec(readFileSync(outputs, 'utf8')) ?? [];
		renameSync(join(clone, 'release'), join(elsewhere, 'release'));
		handOver(join(elsewhere, 'release'));
		await run('publish', elsewhere, { DIGEST });
	} finally {
		for (const folder of [elsewhere, join(clone, 'release')]) {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}
