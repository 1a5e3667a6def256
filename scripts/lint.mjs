/**
 * Lints as n8n does before it verifies a package (`n8n-node lint`, whose configuration must be the untouched
 * `eslint.config.mjs`) and by the project's own, stricter rules, and checks the format with Prettier. `--fix` repairs what it can.
 */
import { join } from 'node:path';

import { run } from './setup/command.mjs';
import { runScript } from './setup/failure.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

/**
 * n8n's configuration is for what runs in n8n, where Node's own modules are forbidden. With this flag, the default
 * from ESLint 10 on, a folder that never gets there (`test`, `scripts`, …) is judged by the `eslint.config.mjs` in it.
 */
const CONFIGURATION_OF_EACH_FOLDER = { ESLINT_FLAGS: 'unstable_config_lookup_from_file' };

const OWN_RULES = [
	'--config',
	'eslint.project.config.mjs',
	'.',
	'package.json',
	'--max-warnings',
	'0',
];

const options = process.argv.slice(2);
const isFixing = options.includes('--fix');

const FORMAT = ['.', isFixing ? '--write' : '--check', '--cache', '--log-level', 'warn'];

const lints = [
	{
		program: 'n8n-node',
		parameters: ['lint', ...options],
		environment: CONFIGURATION_OF_EACH_FOLDER,
	},
	{ program: 'eslint', parameters: [...OWN_RULES, ...options] },
	{ program: 'prettier', parameters: FORMAT },
];

await runScript(async () => {
	await installProject();
	const runs = [];
	for (const { program, parameters, environment } of lints) {
		const binary = join(projectFolder, 'node_modules/.bin', program);
		const linting = run(process.execPath, [binary, ...parameters], {
			cwd: projectFolder,
			env: { ...process.env, ...environment },
			stdio: 'inherit',
		});
		runs.push(linting);
		// All would write the same files.
		if (isFixing) await linting;
	}
	const results = await Promise.all(runs);
	if (results.some(({ code }) => code !== 0)) process.exitCode = 1;
});
