import { FAMILIES } from './families';
import {
	prepareReading,
	type ReadingProcess,
	type ReadingProcesses,
} from './support/readingProcess';

const KILOBYTE = 1000;
const MEGABYTE = 1_000_000;

/** `npm test -- all` tries both. */
const SIZES = [400 * KILOBYTE, ...(process.env.HOSTILE_WAYS === 'all' ? [140 * KILOBYTE] : [])];

/** More than an ordinary email of the same size needs. */
const MAX_MORE = 40 * MEGABYTE;

/** Memory is read after the garbage was collected; a process keeps less of it with this. */
const FOR_MEMORY = ['--expose-gc', '--max-semi-space-size=4'];

const LARGEST_SIZE = 15 * MEGABYTE;
/** The hungriest takes 9.7 to 10.1 times, depending on when garbage is collected. */
const MAX_TIMES_OF_EMAIL = 11;

/** Those that took most memory in the benchmark or once, when a fault was found. */
const HUNGRY = [
	'HTML: cells that are never closed',
	'style sheets: media that never end',
	'winmail.dat: files',
	'reports: lines above recipients',
];

const LARGE_DELIVERY = 11 * MEGABYTE;
const DELIVERIES_AT_ONCE = 3;

/** The heap of a small n8n. */
const SMALL_N8N = ['--max-old-space-size=512'];

let processes: ReadingProcesses;
let reader: ReadingProcess;
const ordinary = new Map<number, number>();

async function memoryFor(task: Parameters<ReadingProcess['read']>[0]): Promise<number> {
	const reading = await reader.read(task);
	if (reading === 'ended') throw new Error('The reading was ended.');
	return reading.peakMemory;
}

beforeAll(async () => {
	processes = prepareReading();
	reader = processes.start(FOR_MEMORY);
	for (const size of SIZES) {
		ordinary.set(size, await memoryFor({ ordinary: true, size, times: 10 }));
	}
});

afterAll(() => processes.end());

test.each(FAMILIES.map(({ name }) => name))(
	'a reader needs little more memory than for an ordinary email: %s',
	async (family) => {
		for (const size of SIZES) {
			const needed = await memoryFor({ family, size, input: 0, way: 0 });
			expect((needed - ordinary.get(size)!) / MEGABYTE).toBeLessThan(MAX_MORE / MEGABYTE);
		}
	},
);

test.each(HUNGRY)(
	`15 MB need at most ${MAX_TIMES_OF_EMAIL} times their memory: %s`,
	async (family) => {
		const needed = await memoryFor({ family, size: LARGEST_SIZE, input: 0, way: 0 });
		expect(needed / LARGEST_SIZE).toBeLessThan(MAX_TIMES_OF_EMAIL);
	},
);

test.each(HUNGRY)(
	`a process with a heap of 512 MB survives ${DELIVERIES_AT_ONCE} emails of 11 MB at once: %s`,
	async (family) => {
		const small = processes.start(SMALL_N8N);
		const together = DELIVERIES_AT_ONCE;
		const reading = await small.read({ family, size: LARGE_DELIVERY, input: 0, way: 0, together });
		small.end();
		expect(reading === 'ended' ? 'ended' : reading.thrown).toBeUndefined();
	},
);
