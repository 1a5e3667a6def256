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

/** A limit for what never ends. A busy machine may be ten times slower than usual. */
const MAX_TEST_MS = 600_000;

/** For tests that also wait for a start of n8n, see `test/support/programs/guardedProgram.ts`. */
const MAX_TEST_WITH_START_MS = 1_500_000;

/** A Jest project for some folders of `test/`: `jest --selectProjects unit`. */
const project = (name, { folders = [name], maxTestMs = MAX_TEST_MS, ...options } = {}) => ({
	displayName: name,
	testEnvironment: 'node',
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
	setupFilesAfterEnv: ['<rootDir>/test/support/timeout.ts'],
	globals: { MAX_TEST_MS: maxTestMs },
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

const inN8nCore = [
	'<rootDir>/test/host/support/setup.ts',
	'<rootDir>/test/host/support/patience.ts',
];

/** A busy machine takes seconds to end a worker; after this time, a test left something open. */
const MAX_EXIT_MS = 60_000;

module.exports = {
	workerGracefulExitTimeout: MAX_EXIT_MS,
	reporters: ['default', '<rootDir>/test/support/someTests.cjs'],
	projects: [
		project('unit', {
			setupFiles: [sameSeed],
			globalSetup: '<rootDir>/test/support/setup/zoneOfNewYork.ts',
		}),
		project('host', { setupFiles: [sameSeed, ...inN8nCore] }),
		project('hostile'),
		// With a real name server.
		project('dns', { setupFiles: inN8nCore }),
		// What is published, the documents and the release, not how the nodes behave.
		project('checks'),
		// In a real n8n that the test files share.
		project('e2e', {
			maxTestMs: MAX_TEST_WITH_START_MS,
			globalSetup: '<rootDir>/test/support/setup/shareN8n.ts',
			globalTeardown: '<rootDir>/test/support/setup/stopSharedN8n.ts',
		}),
		// What the code relies on in n8n: `npm test -- facts`.
		project('hostFacts'),
		// In an n8n of each file's own.
		project('n8n', {
			folders: ['compat', 'next', 'ui', 'release', 'scale'],
			maxTestMs: MAX_TEST_WITH_START_MS,
			globalSetup: '<rootDir>/test/support/setup/prepareOnce.ts',
		}),
	],
};
