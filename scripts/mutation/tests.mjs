import { createRequire } from 'node:module';

export const SOURCES = 'nodes/EmailIdentity';

/** The folders of tests for each area: the quick ones first, then those that see what it does from farther away. */
export const TESTS = {
	api: [
		...['unit/api', 'unit/shared', 'host/api'],
		...['unit/trigger', 'unit/resources', 'host/resources', 'host/trigger/delivery'],
	],
	dns: ['unit/dns', 'host/dns', 'host/resources', 'host/trigger/delivery'],
	email: ['unit/email', 'unit/resources', 'unit/trigger', 'host/trigger/delivery'],
	'trigger/subscription': ['unit/trigger', 'host/trigger/subscription'],
	'trigger/delivery': ['unit/trigger', 'host/trigger/delivery'],
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
