import type { Family } from './family';
import { prepareReading, type ReadingProcess, type ReadingProcesses } from './readingProcess';

const KILOBYTE = 1024;

/** Between these sizes, what is not linear takes a hundred times longer than what is. */
const SIZES = [16 * KILOBYTE, 256 * KILOBYTE];

/** An input may take as long as this many ordinary emails of its size. */
const MANY_TIMES = 20;

/** A process may have waited for a processor; what is slow is slow each time. */
const ATTEMPTS = 3;

/** A test may wait on a busy machine; only the comparison counts. */
const TIMEOUT_MS = 300_000;

/**
 * A test for each family: no input takes as long as many ordinary emails of its size, and none makes a reader throw.
 * Nothing is measured in seconds: a slow reading gets as much time as another process takes for the ordinary emails.
 */
export function testReading(families: readonly Family[]): void {
	let processes: ReadingProcesses;
	let hostile: ReadingProcess;
	let ordinary: ReadingProcess;
	let lastOrdinary: Promise<unknown> = Promise.resolve();
	const ordinaryMs = new Map<number, number>();

	beforeAll(async () => {
		processes = prepareReading();
		hostile = processes.start();
		ordinary = processes.start();
		await ordinary.read({ ordinary: true, size: SIZES[0] ?? 0, times: 2 * MANY_TIMES });
		for (const size of SIZES) {
			const figures = await ordinary.read({ ordinary: true, size, times: MANY_TIMES });
			if (figures !== 'ended') ordinaryMs.set(size, figures.milliseconds);
		}
	}, TIMEOUT_MS);

	afterAll(() => processes.end());

	const readOrdinary = (size: number) => {
		lastOrdinary = lastOrdinary.then(
			async () => await ordinary.read({ ordinary: true, size, times: MANY_TIMES }),
		);
		return lastOrdinary;
	};

	const expectQuick = async (family: string, input: number, way: number, wayName: string) => {
		for (const size of SIZES) {
			const task = { family, size, input, way };
			const read = async () =>
				await hostile.read(task, ordinaryMs.get(size) ?? 0, () => readOrdinary(size));
			let reading = await read();
			for (let attempt = 1; reading === 'ended' && attempt < ATTEMPTS; attempt++) {
				reading = await read();
			}
			const what = `input ${input}, ${wayName}, ${size / KILOBYTE} KB`;
			if (reading === 'ended') {
				throw new Error(`${what}: ${MANY_TIMES} ordinary emails took less time`);
			}
			if (reading.thrown !== undefined) throw new Error(`${what}: ${reading.thrown}`);
		}
	};

	test.each(families.map(({ name }) => name))(
		'%s',
		async (family) => {
			for (const [input, ways] of (await hostile.waysOf(family)).entries()) {
				// If the first input is read in every way, the others need not be.
				const needed = input === 0 ? ways : ways.slice(0, 1);
				for (const [way, wayName] of needed.entries()) {
					await expectQuick(family, input, way, wayName);
				}
			}
		},
		TIMEOUT_MS,
	);
}
