import { SetupFailure } from '../setup/failure.mjs';
import { RELEASES } from '../setup/n8nHost.mjs';

/**
 * @typedef {object} Step one part of `npm test`
 * @property {string} name
 * @property {string} title
 * @property {string[]} [program] a script and its parameters, for a step that is not a test run
 * @property {string} [project] the Jest project, for a step that is one
 * @property {string} [folder] the folder of `test/`, if it is not named like the project
 * @property {boolean} [pack] builds and packs the package, for the steps after it
 * @property {string} [together] neighbours with the same word run at the same time
 * @property {number} [workers] how many of its test files run at the same time, 2 unless given
 * @property {boolean} [verbose] prints the name of each test
 * @property {string} [release] the n8n that it needs, see `n8nHost.mjs`; then it also needs the step `build`
 * @property {Record<string, string>} [environment]
 * @property {import('../setup/programs.mjs').Program[]} [programs] the programs that it needs besides Node.js
 */

/** @type {import('../setup/programs.mjs').Program[]} */
const DNS = ['nsd', 'nsd-control', 'dnsdist'];

/** The step `scale` needs these for its parts in queue mode. @type {import('../setup/programs.mjs').Program[]} */
export const QUEUE_MODE = ['redis-server', 'postgres', 'initdb'];

/** The step `scale` needs this for its part with a proxy. @type {import('../setup/programs.mjs').Program[]} */
export const PROXY = ['caddy'];

/** While one test waits for n8n, another one can use the processor. */
const IN_N8N = { release: '2', together: 'n8n 2' };

/**
 * Tests that start their own n8n.
 *
 * @param {string} name
 * @param {string} title
 * @param {import('../setup/programs.mjs').Program[]} programs
 * @returns {Step}
 */
function inOwnN8n(name, title, programs) {
	return { name, title, project: 'n8n', folder: name, programs, ...IN_N8N };
}

/** @type {Step[]} */
const COMPATIBILITY = RELEASES.map((release) => ({
	name: `compat-${release}`,
	title: `The main workflow in n8n ${release}`,
	project: 'n8n',
	folder: 'compat',
	release,
}));

/** @type {Step[]} the quick ones first */
const STEPS = [
	{ name: 'lint', title: 'Lint', program: ['scripts/lint.mjs'], together: 'static' },
	{ name: 'typecheck', title: 'Types', program: ['scripts/typecheck.mjs'], together: 'static' },
	{ name: 'unit', title: 'Unit tests', project: 'unit', together: 'in process' },
	{ name: 'host', title: "Tests in n8n-core's contexts", project: 'host', together: 'in process' },
	{ name: 'hostile', title: 'Hostile emails', project: 'hostile' },
	{ name: 'dns', title: 'Tests with a real name server', project: 'dns', programs: DNS },
	{ name: 'checks', title: 'Package, documents, release', project: 'checks' },
	{ name: 'build', title: 'Build and pack', pack: true },
	{ name: 'scan', title: "n8n's scan of the package", program: ['scripts/scan.mjs'] },
	{ name: 'audit', title: 'Known vulnerabilities', program: ['scripts/audit.mjs'] },
	{ name: 'e2e', title: 'Tests in a real n8n 2.x', project: 'e2e', ...IN_N8N },
	inOwnN8n('next', 'Defaults of n8n 3.0', QUEUE_MODE),
	inOwnN8n('ui', 'The editor in a browser', ['chromium']),
	inOwnN8n('release', 'A release to a local registry', ['chromium', 'openssl']),
	{ name: 'older', title: 'Tests in a real n8n 1.x', project: 'e2e', release: '1' },
	{
		name: 'e2e-next',
		title: 'Tests in an n8n 2.x with the defaults of 3.0',
		project: 'e2e',
		release: '2',
		environment: { N8N_DEFAULTS: 'announced' },
	},
	...COMPATIBILITY,
	{
		...inOwnN8n('scale', 'Queue mode and crashes', [...QUEUE_MODE, ...PROXY]),
		together: 'scale',
		workers: 1,
	},
];

/** `npm test` alone: needs only Node.js. */
const USUAL = ['lint', 'typecheck', 'unit', 'host', 'hostile', 'build', 'e2e'];

/** What `.ci/run` calls: in one n8n, with all programs. */
const ALL = [...USUAL, 'dns', 'checks', 'next', 'ui', 'release', 'scale'];

/** The size of tests that try much, with the word `all`: variables of the environment. */
const FULL_SIZE = { HOSTILE_WAYS: 'all', LIFECYCLE_SEQUENCES: '500', LONG_BODIES: '60' };

/** Words that stand for several steps. */
const GROUPS = new Map([
	['usual', USUAL],
	['all', ALL],
	['compat', COMPATIBILITY.map(({ name }) => name)],
]);

const REPORT = '--report';

/**
 * @param {string[]} parameters names of steps, then parts of test file paths; `--report` anywhere
 * @throws {SetupFailure} for a step that does not exist, and for a report on a part of the tests
 */
export function selectSteps(parameters) {
	const report = parameters.includes(REPORT);
	const named = parameters
		.filter((name) => name !== REPORT)
		.flatMap((name) => GROUPS.get(name) ?? name);
	const names = named.filter((name) => STEPS.some((step) => step.name === name));
	const filters = named.filter((name) => !names.includes(name));
	if (names.length === 0 && filters.length > 0) {
		const known = [...STEPS.map(({ name }) => name), ...GROUPS.keys()].join(', ');
		throw new SetupFailure(`There is no test step "${filters[0]}". The steps are ${known}.`);
	}
	if (report && filters.length > 0) {
		throw new SetupFailure(`A report needs complete runs: leave out "${filters[0]}".`);
	}
	const wanted = new Set(names.length > 0 ? names : USUAL);
	if (STEPS.some(({ name, release }) => release && wanted.has(name))) wanted.add('build');
	const sizes = parameters.includes('all') ? FULL_SIZE : {};
	return { steps: STEPS.filter(({ name }) => wanted.has(name)), filters, report, sizes };
}

/**
 * The order of steps: the build takes seconds, and the tests in n8n need it. They mostly wait for n8n, so the others run beside them.
 *
 * @param {Step[]} steps
 * @returns {{ first: Step[], atOnce: Step[][] }} what runs first, then lists that run at the same time, each in its order
 */
export function arrange(steps) {
	const first = steps.filter(({ pack }) => pack);
	const inN8n = steps.filter(({ pack, release }) => !pack && release !== undefined);
	const others = steps.filter(({ pack, release }) => !pack && release === undefined);
	return { first, atOnce: [others, inN8n] };
}
