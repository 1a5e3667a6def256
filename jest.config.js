const transform = {
	'^.+\\.[cm]?[jt]s$': [
		'@swc/jest',
		{
			jsc: {
				target: 'es2022',
				parser: { syntax: 'typescript', decorators: true },
				transform: { legacyDecorator: true, decoratorMetadata: true },
			},
			module: { type: 'commonjs' },
		},
	],
};

/** One Jest project for each test level, so that each can be run on its own: `jest --selectProjects unit`. */
const level = (name, options = {}) => ({
	displayName: name,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	setupFilesAfterEnv: ['<rootDir>/test/support/timeout.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/hosts/', '<rootDir>/test-results/'],
	transform,
	// These ship as ES modules only, which Jest does not load as they are.
	transformIgnorePatterns: [
		'/node_modules/(?!(?:htmlparser2|entities|dom-serializer|dom[a-z]+|p-limit|yocto-queue)/)(?!.*/node_modules/)',
	],
	...options,
});

/** A run must not fail today and pass tomorrow; `PROPERTY_SEED` looks elsewhere. */
const sameSeed = '<rootDir>/test/support/propertySeed.ts';

/** For the levels that install the packed package in a real n8n. */
const realHost = { globalSetup: '<rootDir>/test/support/setup/packOnce.ts' };

module.exports = {
	reporters: ['default', '<rootDir>/test/support/someTests.cjs'],
	projects: [
		level('unit', { setupFiles: [sameSeed] }),
		level('host', { setupFiles: [sameSeed, '<rootDir>/test/host/support/setup.ts'] }),
		level('hostile'),
		// With a real name server, the one level that needs one.
		level('dns', { setupFiles: ['<rootDir>/test/host/support/setup.ts'] }),
		// What is published, the documents and the release, not how the nodes behave.
		level('checks'),
		level('e2e', {
			...realHost,
			globalSetup: '<rootDir>/test/support/setup/shareN8n.ts',
			globalTeardown: '<rootDir>/test/support/setup/stopSharedN8n.ts',
		}),
		level('compat', realHost),
		level('next', realHost),
		level('ui', realHost),
		level('release'),
		level('scale', realHost),
	],
};
