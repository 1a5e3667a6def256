import type { Family } from './family';
import { prepare, type Interrogation, type Suspect } from './suspect';

const KILOBYTE = 1024;

/** Between these, what is not linear comes to take a hundred times longer than what is. */
const SIZES = [16 * KILOBYTE, 256 * KILOBYTE];

/** So often an ordinary email of the same size has been read when a hostile one has had its time. */
const MANY_TIMES = 20;

/** A process that had to wait for a processor is asked again: what is slow is slow each time. */
const HEARINGS = 3;

/** A test may wait for its turn on a busy machine; what counts is what is compared. */
const PATIENCE_OF_THE_TEST_MS = 300_000;

/**
 * A test for each family: no input of it takes as long as many ordinary emails of its size, and none makes a reader throw.
 * Nothing is measured in seconds: a slow reading is given as much time as another process takes for the ordinary ones.
 */
export function judge(families: readonly Family[]): void {
	let interrogation: Interrogation;
	let suspect: Suspect;
	let witness: Suspect;
	let testimony: Promise<unknown> = Promise.resolve();
	/** Milliseconds for one ordinary email of a size. */
	const ordinary = new Map<number, number>();

	beforeAll(async () => {
		interrogation = prepare();
		suspect = interrogation.suspect();
		witness = interrogation.suspect();
		await witness.read({ ordinary: true, size: SIZES[0] ?? 0, times: 2 * MANY_TIMES });
		for (const size of SIZES) {
			const figures = await witness.read({ ordinary: true, size, times: MANY_TIMES });
			if (figures !== 'ended') ordinary.set(size, figures.milliseconds / MANY_TIMES);
		}
	}, PATIENCE_OF_THE_TEST_MS);

	afterAll(() => interrogation.end());

	const readOrdinary = (size: number) => {
		testimony = testimony.then(
			async () => await witness.read({ ordinary: true, size, times: MANY_TIMES }),
		);
		return testimony;
	};

	const question = async (family: string, input: number, way: number, wayName: string) => {
		for (const size of SIZES) {
			const hear = async () =>
				await suspect.read(
					{ family, size, input, way },
					MANY_TIMES * (ordinary.get(size) ?? 0),
					() => readOrdinary(size),
				);
			let verdict = await hear();
			for (let heard = 1; verdict === 'ended' && heard < HEARINGS; heard++) verdict = await hear();
			const what = `input ${input}, ${wayName}, ${size / KILOBYTE} KB`;
			if (verdict === 'ended') {
				throw new Error(`${what}: ${MANY_TIMES} ordinary emails took less time`);
			}
			if (verdict.thrown !== undefined) throw new Error(`${what}: ${verdict.thrown}`);
		}
	};

	test.each(families.map(({ name }) => name))(
		'%s',
		async (family) => {
			for (const [input, ways] of (await suspect.waysOf(family)).entries()) {
				// Where the first input goes every way, the others need not.
				const needed = input === 0 ? ways : ways.slice(0, 1);
				for (const [way, wayName] of needed.entries()) {
					await question(family, input, way, wayName);
				}
			}
		},
		PATIENCE_OF_THE_TEST_MS,
	);
}
