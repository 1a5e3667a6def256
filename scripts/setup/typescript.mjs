import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installProject, projectFolder } from './project.mjs';

/**
 * Loads a TypeScript file by its path in the project; installs the dependencies before.
 *
 * @param {string} file
 * @returns a promise of what it exports
 */
export async function loadTypeScript(file) {
	await installProject();
	const { register } = await import('tsx/cjs/api');
	register();
	return createRequire(import.meta.url)(join(projectFolder, file));
}
