import { FAMILIES } from './families';
import {
	prepareReading,
	type ReadingProcess,
	type ReadingProcesses,
} from './support/readingProcess';

const KILOBYTE = 1024;

/** Between these sizes, what is not linear takes a hundred times longer than what is. */
const SIZES = [16 * KILOBYTE, 256 * KILOBYTE];

/** An input may take as long as this many ordinary emails of its size. */
const MANY_TIMES = 20;

/** A process may have waited for a processor; what is slow is slow each time. */
const ATTEMPTS = 3;

let processes: ReadingProcesses;
let hostile: ReadingProcess;
let ordinary: ReadingProcess;
let lastOrdinary: Promise<unknown> = Promise.resolve();
const ordinaryMs = new Map<number, number>();

const readOrdinary = async (size: number, times = MANY_TIMES) =>
	await ordinary.read({ ordinary: true, size, times });

beforeAll(async () => {
	processes = prepareReading();
	hostile = processes.start();
	ordinary = processes.start();
	await readOrdinary(SIZES[0]!, 2 * MANY_TIMES);
	for (const size of SIZES) {
		const reading = await readOrdinary(size);
		if (reading === 'ended') throw new Error('An ordinary email was not read.');
		ordinaryMs.set(size, reading.milliseconds);
	}
});

afterAll(() => processes.end());

/** The time is not measured in seconds: a slow reading has as much time as another process needs for the ordinary emails. */
async function readHostile(family: string, input: number, way: number, size: number) {
	const others = async () => await (lastOrdinary = lastOrdinary.then(() => readOrdinary(size)));
	const read = async () =>
		await hostile.read({ family, size, input, way }, ordinaryMs.get(size), others);
	let reading = await read();
	for (let attempt = 1; reading === 'ended' && attempt < ATTEMPTS; attempt++)
		reading = await read();
	return reading;
}

test.each(FAMILIES.map(({ name }) => name))(
	`no reader throws or takes as long as for ${MANY_TIMES} ordinary emails: %s`,
	async (family) => {
		const inputs = await hostile.waysOf(family);
		expect(inputs).not.toEqual([]);
		for (const [input, ways] of inputs.entries()) {
			// If the first input is read in every way, the others need not be.
			const needed = input === 0 ? ways : ways.slice(0, 1);
			for (const [way, name] of needed.entries()) {
				for (const size of SIZES) {
					const reading = await readHostile(family, input, way, size);
					const outcome = reading === 'ended' ? 'took too long' : (reading.thrown ?? 'read');
					expect({ input, name, size, outcome }).toEqual({ input, name, size, outcome: 'read' });
				}
			}
		}
	},
);
