/**
 * Runs a program of the development dependencies, which are installed if they are missing: `node scripts/tool.mjs jest --watch`.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

import { runScript } from './setup/failure.mjs';
import {
	installProject,
	installToStart,
	NEEDED_TO_START,
	projectFolder,
} from './setup/project.mjs';

await runScript(async () => {
	const [node = process.execPath, , program = '', ...parameters] = process.argv;
	await (NEEDED_TO_START.includes(program) ? installToStart() : installProject());
	// As if it had been started itself: it gets the rest of the command line, signals and the terminal.
	const file = join(projectFolder, 'node_modules/.bin', program);
	process.argv = [node, file, ...parameters];
	await import(realpathSync(file));
});
