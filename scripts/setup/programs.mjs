import { createRequire } from 'node:module';
import { SetupFailure } from './failure.mjs';

const PROGRAMS = '../../test/programs/programs.ts';

/**
 * Looks for programs that tests start, before minutes are spent on what then can't run. The project has to be installed.
 *
 * @param {'DNS' | 'QUEUE_MODE'} group a list of `test/programs/programs.ts`
 * @throws {SetupFailure} that says how to install the first that is missing
 */
export async function requirePrograms(group) {
	const { register } = await import('tsx/cjs/api');
	const unregister = register();
	try {
		const programs = createRequire(import.meta.url)(PROGRAMS);
		programs.requirePrograms(programs[group]);
	} catch (error) {
		throw error.name === 'MissingProgram' ? new SetupFailure(error.message) : error;
	} finally {
		unregister();
	}
}
