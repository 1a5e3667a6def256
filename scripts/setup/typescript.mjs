import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectFolder } from './project.mjs';

/**
 * Loads a TypeScript file by its path in the project, once the dependencies are installed.
 *
 * @param {string} file
 * @returns a promise of what it exports
 */
export async function loadTypeScript(file) {
	const { register } = await import('tsx/cjs/api');
	register();
	return createRequire(import.meta.url)(join(projectFolder, file));
}
