import { FAMILIES } from './families';
import { NODES } from './support/nodes';
import { MAX_NEWSLETTERS, SIZES_AT_LIMITS } from './support/sizes';
import {
	prepareReading,
	type Reading,
	type ReadingProcess,
	type ReadingProcesses,
} from './support/readingProcess';

const [USUAL_SIZE, LARGE_SIZE] = SIZES_AT_LIMITS;

/** Code is compiled when it is first used. */
const TO_COMPILE_MS = 60;

/** Twice the size may take this many times as long, if it takes longer than what is compiled and collected. */
const MAX_GROWTH = 2.6;
const MEASURABLE_MS = 100;

/** Garbage is collected at any time, and other work slows the processor: what is slow is slow each time. */
const ATTEMPTS = 5;

/** Less than n8n's own processes have. */
const SMALL_HEAP = ['--max-old-space-size=320'];

const IS_FULL_SIZE = process.env.HOSTILE_WAYS === 'all';

let processes: ReadingProcesses;

beforeAll(() => void (processes = prepareReading()));
afterAll(() => processes.end());

describe.each(NODES)('in %s', (name, program) => {
	let hostile: ReadingProcess;
	const ordinaryMs = new Map<number, number>();

	async function measureOrdinary(size: number, times: number): Promise<void> {
		const reading = await hostile.read({ ordinary: true, size, times });
		if (reading === 'ended') throw new Error('An ordinary email was not read.');
		ordinaryMs.set(size, reading.processorMs / times);
	}

	beforeAll(async () => {
		hostile = processes.start(SMALL_HEAP, program());
		await measureOrdinary(USUAL_SIZE, 40);
		for (const size of SIZES_AT_LIMITS) await measureOrdinary(size, 10);
	});

	const limitFor = (size: number) => MAX_NEWSLETTERS * ordinaryMs.get(size)! + TO_COMPILE_MS;

	const isWithin = (reading: Reading, size: number) =>
		reading !== 'ended' && reading.processorMs <= limitFor(size);

	async function readOnce(family: string, input: number, way: number, size: number) {
		return await hostile.read({ family, size, input, way }, 2 * limitFor(size));
	}

	/** What takes too long is read again, in turn with an ordinary email. */
	async function read(family: string, input: number, way: number, size: number): Promise<Reading> {
		for (let attempt = 1; ; attempt++) {
			const reading = await readOnce(family, input, way, size);
			if (isWithin(reading, size) || attempt === ATTEMPTS) return reading;
			await measureOrdinary(size, 10);
		}
	}

	/**
	 * The least growth of several attempts. A processor is faster at some times than at others, so a time is compared only with that of
	 * the other size read beside it. In a process that has read hundreds of emails, collecting garbage takes longer for the larger one.
	 */
	async function growthOf(family: string, input: number, way: number, times: Map<number, number>) {
		let growth = times.get(LARGE_SIZE)! / times.get(USUAL_SIZE)!;
		if (growth < MAX_GROWTH) return growth;
		await hostile.restart();
		await measureOrdinary(USUAL_SIZE, 40);
		for (let attempt = 1; attempt < ATTEMPTS && growth >= MAX_GROWTH; attempt++) {
			const usual = await readOnce(family, input, way, USUAL_SIZE);
			const large = await readOnce(family, input, way, LARGE_SIZE);
			if (usual === 'ended' || large === 'ended') continue;
			growth = Math.min(growth, large.processorMs / usual.processorMs);
		}
		return growth;
	}

	const outcomeOf = (reading: Reading, size: number): string => {
		if (reading === 'ended' || !isWithin(reading, size)) return 'took too long';
		return reading.thrown ?? 'read';
	};

	/**
	 * The sizes in the way that reads everything; one size in the others, which `npm test -- all` tries. The other Node.js reads the
	 * same code.
	 */
	function sizesFor(input: number, way: number): readonly number[] {
		if (name !== 'this Node.js') return input === 0 && way === 0 ? [LARGE_SIZE] : [];
		if (way === 0) return input === 0 ? SIZES_AT_LIMITS : [LARGE_SIZE];
		return input === 0 && IS_FULL_SIZE ? [USUAL_SIZE] : [];
	}

	test.each(FAMILIES.map(({ name: family }) => family))(
		`no reader throws, takes as long as for ${MAX_NEWSLETTERS} newsletters, or needs a large heap: %s`,
		async (family) => {
			const inputs = await hostile.waysOf(family);
			expect(inputs).not.toEqual([]);
			for (const [input, ways] of inputs.entries()) {
				for (const [way, wayName] of ways.entries()) {
					const times = new Map<number, number>();
					for (const size of sizesFor(input, way)) {
						const reading = await read(family, input, way, size);
						const found = { input, way: wayName, size, outcome: outcomeOf(reading, size) };
						expect(found).toEqual({ ...found, outcome: 'read' });
						if (reading !== 'ended') times.set(size, reading.processorMs);
					}
					const isMeasured = times.has(LARGE_SIZE) && times.get(USUAL_SIZE)! > MEASURABLE_MS;
					if (isMeasured) {
						expect(await growthOf(family, input, way, times)).toBeLessThan(MAX_GROWTH);
					}
				}
			}
		},
	);
});
