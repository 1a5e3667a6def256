import { createRequire } from 'node:module';

const NODES = 'nodes/EmailIdentity';

/**
 * The areas that can be named, each with its folder and its tests: the quick ones first, then those that see what it does
 * from farther away.
 */
export const AREAS = {
	api: {
		source: `${NODES}/api`,
		tests: [
			'unit/api',
			'unit/shared',
			'host/api',
			'unit/trigger',
			'unit/operations',
			'host/operations',
			'host/trigger/delivery',
		],
	},
	operations: {
		source: `${NODES}/operations`,
		tests: ['unit/operations', 'unit/shared', 'host/operations'],
	},
	dns: {
		source: 'lib/dns',
		tests: ['unit/lib/dns', 'host/shared', 'host/operations', 'host/trigger/delivery'],
	},
	email: {
		source: 'lib/email',
		tests: ['unit/lib/email', 'unit/operations', 'unit/trigger', 'host/trigger/delivery'],
	},
	proof: {
		source: 'lib/proof',
		tests: ['unit/lib/proof', 'unit/trigger', 'host/operations', 'host/trigger/delivery'],
	},
	'trigger/subscription': {
		source: `${NODES}/trigger/subscription`,
		tests: ['unit/trigger', 'host/trigger/subscription'],
	},
	'trigger/delivery': {
		source: `${NODES}/trigger/delivery`,
		tests: ['unit/trigger', 'host/trigger/delivery'],
	},
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
