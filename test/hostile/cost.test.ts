import foundInputs from './cost/found.json';
import { allInputs } from './cost/inputs';
import type { Input } from './cost/input';
import { CostMeter, type Cost } from './cost/meter';
import { NODES } from './support/nodes';
import { prepareReading, type ReadingProcesses } from './support/readingProcess';

const KILOBYTE = 1000;
const MEGABYTE = 1_000_000;

/** Twice the size takes twice the time; where it takes more, large inputs are slow. */
const SMALL_SIZES = [24 * KILOBYTE, 48 * KILOBYTE] as const;

const USUAL_SIZE = 150 * KILOBYTE;
const LARGE_SIZE = MEGABYTE;
const LARGEST_SIZE = 15 * MEGABYTE;

/** Of all inputs, those that are read in the usual size and in large ones. */
const WORST = 200;
const WORST_OF_WORST = 30;
const WORST_IN_LARGEST_SIZE = 5;
const PRINTED = 10;

/**
 * Less memory than n8n's own processes have, and no threads that collect garbage: on a busy machine they wait for each other, which
 * counts as processor time.
 */
const FOR_ALL = ['--max-old-space-size=320', '--single-threaded-gc'];

/** Memory is read after the garbage was collected; a process keeps less of it with this. */
const FOR_MEMORY = ['--expose-gc', '--max-semi-space-size=4'];

/** Of the sample, in milliseconds of processor time. */
const SAMPLE_MS = 14_000;

const MAX_TEST_MS = 30 * 60_000;

/** Takes minutes in each Node.js. */
const IS_FULL_SIZE = process.env.COST_INPUTS === 'all';

/** The same sample each time, so that a change of the code is what fails; another seed tries other inputs. */
const SEED = Number(process.env.COST_SEED ?? 1);

let processes: ReadingProcesses;

beforeAll(() => void (processes = prepareReading()));
afterAll(() => processes.end());

async function newMeter(
	program: string,
	flags: readonly string[] = FOR_MEMORY,
): Promise<CostMeter> {
	const meter = new CostMeter(processes.start([...flags, ...FOR_ALL], program));
	await meter.warmUp();
	return meter;
}

/** The inputs with faults, without what they are made of. */
function faultsOf(costs: readonly Cost[]): unknown[] {
	const faulty = costs.filter(({ fault }) => fault !== '');
	return faulty.map((cost) => ({ ...cost, input: cost.input.name }));
}

test(
	'what was too slow or too large once costs little more than a newsletter',
	async () => {
		const meter = await newMeter(process.execPath);
		const costs: Cost[] = [];
		for (const { size, ...input } of foundInputs as Array<Input & { size: number }>) {
			costs.push(await meter.judge(input, size));
		}
		expect(faultsOf(costs)).toEqual([]);
	},
	MAX_TEST_MS,
);

if (IS_FULL_SIZE) {
	test.each(NODES)(
		'in %s, no word of the code, in any position, and no reference costs much more than a newsletter',
		async (name, program) => {
			const costs = await measureAll(program());
			const worst = costs.slice(0, PRINTED).map(lineOf).join('');
			process.stdout.write(`The worst in ${name}:\n${worst}`);
			expect(faultsOf(costs)).toEqual([]);
		},
		MAX_TEST_MS,
	);
} else {
	test(
		`of a sample of all words and references, none costs much more than a newsletter (COST_SEED=${SEED})`,
		async () => {
			const meter = await newMeter(process.execPath);
			const costs: Cost[] = [];
			for (const input of shuffled(allInputs(), SEED)) {
				if (meter.used > SAMPLE_MS) break;
				costs.push(await meter.judge(input, USUAL_SIZE));
			}
			expect(costs.length).toBeGreaterThan(0);
			expect(faultsOf(costs)).toEqual([]);
		},
		MAX_TEST_MS,
	);
}

/** @returns the worst inputs, the slowest first */
async function measureAll(program: string): Promise<Cost[]> {
	const suspects = await suspectsOf(program);
	const meter = await newMeter(program);
	const costs: Cost[] = [];
	for (const input of suspects) costs.push(await meter.judge(input, USUAL_SIZE));
	const half = WORST_OF_WORST / 2;
	const worst = new Set([
		...topOf(costs, half, ({ newsletters }) => newsletters),
		...topOf(costs, WORST_OF_WORST, ({ memory }) => memory),
	]);
	const large = [...worst].slice(0, WORST_OF_WORST).map(({ input }) => input);
	for (const input of large) costs.push(await meter.judge(input, LARGE_SIZE));
	for (const input of large.slice(0, WORST_IN_LARGEST_SIZE)) {
		costs.push(await meter.judge(input, LARGEST_SIZE));
	}
	return topOf(costs, costs.length, ({ newsletters }) => newsletters);
}

/** Those that will be the slowest in the usual size if they go on as from the first small size to the second. */
async function suspectsOf(program: string): Promise<Input[]> {
	const meter = await newMeter(program, []);
	const expected = new Map<Input, number>();
	const [small, double] = SMALL_SIZES;
	for (const input of allInputs()) {
		const { newsletters: before } = await meter.estimate(input, small);
		const { newsletters } = await meter.estimate(input, double);
		const growth = Math.min(2, Math.max(1, newsletters / before));
		expected.set(input, newsletters * growth);
	}
	return topOf([...expected.keys()], WORST, (input) => expected.get(input) ?? 0);
}

function topOf<Item>(items: readonly Item[], count: number, rank: (item: Item) => number): Item[] {
	return [...items].sort((one, other) => rank(other) - rank(one)).slice(0, count);
}

function lineOf({ input, size, newsletters, memory, piece, fault }: Cost): string {
	const figures = [
		`${newsletters.toFixed(1)} newsletters`,
		`${memory.toFixed(0)} MB more`,
		`${piece.toFixed(0)} ms in one piece`,
	];
	return `- ${input.name}, ${size / KILOBYTE} KB: ${figures.join(', ')} ${fault}\n`;
}

/** Always the same for a seed (mulberry32). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
	let state = seed;
	const next = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return (mixed ^ (mixed >>> 14)) >>> 0;
	};
	const keyed = items.map((item) => ({ item, key: next() }));
	keyed.sort((one, other) => one.key - other.key);
	return keyed.map(({ item }) => item);
}
