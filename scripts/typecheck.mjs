/** Checks the types of the TypeScript code, and of the scripts that Node.js runs without a compiler. */
import { join } from 'node:path';

import { run } from './setup/command.mjs';
import { runScript } from './setup/failure.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

const PROJECTS = ['.', 'scripts'];

await runScript(async () => {
	await installProject();
	const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
	for (const project of PROJECTS) {
		const { code } = await run(process.execPath, [compiler, '--noEmit', '--project', project], {
			cwd: projectFolder,
			stdio: 'inherit',
		});
		if (code !== 0) process.exitCode = code;
	}
});
