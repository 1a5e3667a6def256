import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { hostOf } from '../test/support/n8n';

const execute = promisify(execFile);

const TIME_LIMIT_MS = 300_000;

/**
 * Prepares a script for the Node that n8n runs on.
 *
 * @param script TypeScript; it gets its parameters as JSON in `process.argv[2]` and prints its result as JSON
 * @param scratch folder for the bundled script
 * @param flags of Node, such as `--expose-gc`
 * @returns runs it, each time in a process of its own
 */
export async function freshProcess<Parameters, Result>(
	script: string,
	scratch: string,
	flags: readonly string[] = [],
	environment: Record<string, string> = {},
): Promise<(parameters: Parameters) => Promise<Result>> {
	const outfile = join(scratch, `${basename(script, '.ts')}.cjs`);
	await build({
		input: script,
		platform: 'node',
		external: ['n8n-workflow', 'mailparser'],
		output: { file: outfile, format: 'cjs', codeSplitting: false },
		logLevel: 'warn',
	});
	const { node } = hostOf('2');
	return async (parameters) => {
		const { stdout } = await execute(node, [...flags, outfile, JSON.stringify(parameters)], {
			env: { PATH: process.env.PATH, ...environment },
			timeout: TIME_LIMIT_MS,
		});
		return JSON.parse(stdout) as Result;
	};
}
