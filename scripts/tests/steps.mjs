import { SetupFailure } from '../setup/failure.mjs';
import { RELEASES } from '../setup/n8nHost.mjs';

/**
 * @typedef {object} Step one part of `npm test`
 * @property {string} name
 * @property {string} title what is said above it
 * @property {string[]} [script] an npm script or command, for a step that is not a test run
 * @property {string} [project] the Jest project, for a step that is one
 * @property {boolean} [pack] builds and packs the package, for the steps after it
 * @property {number} [atATime] how many of its test files share the machine, where that is not left to Jest
 * @property {string} [release] the pinned n8n that it needs, see `n8nHost.mjs`
 * @property {Record<string, string>} [environment] what its tests are told beside that
 * @property {'DNS' | 'QUEUE_MODE'} [programs] what has to be installed beside n8n
 * @property {string[]} [needs] steps without which it makes no sense
 */

/** An n8n that is waited for leaves a core to another. */
const SIDE_BY_SIDE = 2;

/** @type {Step[]} what everybody needs, in each n8n that is supported, newest first */
const COMPATIBILITY = RELEASES.map((release) => ({
	name: `compat-${release}`,
	title: `The main way in n8n ${release}`,
	project: 'compat',
	release,
	atATime: 1,
	needs: ['build'],
}));

/** @type {Step[]} in the order in which failures are most quickly found */
const STEPS = [
	{ name: 'lint', title: 'Lint', script: ['run', 'lint'] },
	{ name: 'typecheck', title: 'Types', script: ['run', 'typecheck'] },
	{ name: 'unit', title: 'Unit tests', project: 'unit' },
	{ name: 'host', title: "Tests in n8n-core's own contexts", project: 'host', programs: 'DNS' },
	{
		name: 'hostile',
		title: 'Hostile emails, beside ordinary ones',
		project: 'hostile',
	},
	{ name: 'build', title: 'Build and pack', pack: true },
	{
		name: 'e2e',
		title: 'Tests in a real n8n 2.x',
		project: 'e2e',
		release: '2',
		atATime: SIDE_BY_SIDE,
		programs: 'DNS',
		needs: ['build'],
	},
	{
		name: 'older',
		title: 'Tests in a real n8n 1.x',
		project: 'e2e',
		release: '1',
		atATime: SIDE_BY_SIDE,
		programs: 'DNS',
		needs: ['build'],
	},
	{
		name: 'tomorrow',
		title: 'The same in an n8n 2.x that is set as n8n 3.0 will be by default',
		project: 'e2e',
		release: '2',
		environment: { N8N_DEFAULTS: 'announced' },
		atATime: SIDE_BY_SIDE,
		programs: 'DNS',
		needs: ['build'],
	},
	...COMPATIBILITY,
	{
		name: 'next',
		title: 'What n8n 3.0 will do by default, in a real n8n 2.x',
		project: 'next',
		release: '2',
		atATime: 1,
		needs: ['build'],
	},
	{
		name: 'ui',
		title: 'Tests of the editor, in a browser',
		project: 'ui',
		release: '2',
		atATime: 1,
		needs: ['build'],
	},
	{
		name: 'release',
		title: 'A release, to a local registry',
		project: 'release',
		release: '2',
		atATime: 1,
	},
	{
		name: 'scale',
		title: 'Queue mode and crashes, in a real n8n 2.x',
		project: 'scale',
		release: '2',
		atATime: 1,
		programs: 'QUEUE_MODE',
		needs: ['build'],
	},
];

const compatibility = COMPATIBILITY.map(({ name }) => name);

/**
 * What runs only when it is named: each older n8n is 1.4 to 2 GB more to install, the editor and the release need a
 * browser, queue mode, which n8n 3.0 changes, Redis and PostgreSQL.
 */
const ON_REQUEST = ['older', 'tomorrow', ...compatibility, 'next', 'ui', 'release', 'scale'];

/** What `npm test` runs when nothing is named. */
const USUAL = STEPS.filter(({ name }) => !ON_REQUEST.includes(name)).map(({ name }) => name);

/** Words that stand for several steps, beside the names of others. */
const GROUPS = { usual: USUAL, compat: compatibility };

/** Asks for what complete runs found to be written down. */
const REPORT = '--report';

/**
 * Finds the steps to run.
 *
 * @param {string[]} parameters names of steps, then parts of test file paths; `--report` anywhere
 * @returns {{ steps: Step[], filters: string[], report: boolean }}
 * @throws {SetupFailure} for a step that does not exist, and for a report on a part of the tests
 */
export function selectSteps(parameters) {
	const report = parameters.includes(REPORT);
	const named = parameters
		.filter((name) => name !== REPORT)
		.flatMap((name) => GROUPS[name] ?? name);
	const names = named.filter((name) => STEPS.some((step) => step.name === name));
	const filters = named.filter((name) => !names.includes(name));
	if (names.length === 0 && filters.length > 0) {
		const known = [...STEPS.map(({ name }) => name), ...Object.keys(GROUPS)].join(', ');
		throw new SetupFailure(`There is no test step "${filters[0]}": there are ${known}.`);
	}
	if (report && filters.length > 0) {
		throw new SetupFailure(`A report is on complete runs: leave out "${filters[0]}".`);
	}
	const wanted = new Set(names.length > 0 ? names : USUAL);
	for (const { name, needs = [] } of STEPS) {
		if (wanted.has(name)) needs.forEach((needed) => wanted.add(needed));
	}
	return { steps: STEPS.filter(({ name }) => wanted.has(name)), filters, report };
}
