import { SetupFailure } from '../setup/failure.mjs';

/**
 * @typedef {object} Step one part of `npm test`
 * @property {string} name
 * @property {string} title what is said above it
 * @property {string[]} [script] an npm script or command, for a step that is not a test run
 * @property {string} [project] the Jest project, for a step that is one
 * @property {boolean} [pack] builds and packs the package, for the steps after it
 * @property {boolean} [oneAtATime] whether its test files must not share the machine
 * @property {'1' | '2'} [line] the n8n that it needs
 * @property {'DNS' | 'QUEUE_MODE'} [programs] what has to be installed beside n8n
 * @property {string[]} [needs] steps without which it makes no sense
 */

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
		line: '2',
		oneAtATime: true,
		programs: 'DNS',
		needs: ['build'],
	},
	{
		name: 'compat',
		title: 'Tests in a real n8n 1.x',
		project: 'e2e',
		line: '1',
		oneAtATime: true,
		programs: 'DNS',
		needs: ['build'],
	},
	{
		name: 'ui',
		title: 'Tests of the editor, in a browser',
		project: 'ui',
		line: '2',
		oneAtATime: true,
		needs: ['build'],
	},
	{
		name: 'release',
		title: 'A release, to a local registry',
		project: 'release',
		line: '2',
		oneAtATime: true,
	},
	{
		name: 'scale',
		title: 'Queue mode and crashes, in a real n8n 2.x',
		project: 'scale',
		line: '2',
		oneAtATime: true,
		programs: 'QUEUE_MODE',
		needs: ['build'],
	},
];

/**
 * What runs only when it is named: the older n8n is 1.4 GB more to install, the editor and the release need a
 * browser, queue mode Redis and PostgreSQL.
 */
const ON_REQUEST = ['compat', 'ui', 'release', 'scale'];

/** What `npm test` runs when nothing is named, and what this word stands for beside the names of others. */
const USUAL_STEPS = 'usual';
const USUAL = STEPS.filter(({ name }) => !ON_REQUEST.includes(name)).map(({ name }) => name);

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
		.flatMap((name) => (name === USUAL_STEPS ? USUAL : name));
	const names = named.filter((name) => STEPS.some((step) => step.name === name));
	const filters = named.filter((name) => !names.includes(name));
	if (names.length === 0 && filters.length > 0) {
		const known = STEPS.map(({ name }) => name).join(', ');
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
