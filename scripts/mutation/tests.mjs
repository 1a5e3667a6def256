import { createRequire } from 'node:module';

export const SOURCES = 'nodes/EmailIdentity';

/** The unit level, and those host tests that take seconds. */
export const TESTS = {
	api: ['unit/api', 'unit/shared', 'host/api'],
	dns: ['unit/dns', 'host/dns'],
	email: ['unit/email'],
	'trigger/subscription': ['unit/trigger', 'host/trigger/subscription'],
	'trigger/delivery': ['unit/trigger', 'host/trigger/delivery'],
};

/** Further tests that see what these folders do: few changes are tried with them, those that nothing above noticed. */
export const SLOWER_TESTS = {
	api: ['unit/trigger', 'unit/resources', 'host/resources', 'host/trigger/delivery'],
	dns: ['host/resources', 'host/trigger/delivery'],
	email: ['unit/resources', 'unit/trigger', 'host/trigger/delivery'],
	'trigger/subscription': [],
	'trigger/delivery': [],
};

/** The Jest projects of these tests, with no others in them. */
export function projectsFor(folders) {
	const { projects } = createRequire(import.meta.url)('../../jest.config.js');
	return projects.flatMap((project) => {
		const own = folders.filter((folder) => folder.startsWith(`${project.displayName}/`));
		if (own.length === 0) return [];
		const testMatch = own.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);
		return [{ ...project, rootDir: '.', testMatch }];
	});
}
