import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installProject, projectFolder } from './project.mjs';

/** Gives what a TypeScript file of the project exports, by its path in the project. Before, it installs what loads it. */
export async function loadTypeScript(file) {
	await installProject();
	const { register } = await import('tsx/cjs/api');
	register();
	return createRequire(import.meta.url)(join(projectFolder, file));
}
