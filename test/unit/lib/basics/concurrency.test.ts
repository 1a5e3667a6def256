import { retry, type RetryOptions } from '../../../../lib/basics';

let now: number;

beforeEach(() => {
	now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(Math, 'random').mockReturnValue(1);
});

afterEach(() => jest.restoreAllMocks());

/** An attempt that takes a second and fails until the given one. */
async function failUntil(success: number, options: Partial<RetryOptions<boolean>> = {}) {
	const delays: number[] = [];
	const attempt = async (number: number) => {
		now += 1000;
		return await Promise.resolve(number >= success);
	};
	const outcome = await retry(attempt, {
		firstDelay: 500,
		maxDelay: 2000,
		total: 60_000,
		mayPass: (isDone) => !isDone,
		wait: async (delay) => {
			now += delay;
			delays.push(delay);
			return await Promise.resolve(true);
		},
		...options,
	});
	return { ...outcome, delays };
}

test('an attempt is repeated until it succeeds, with delays that double up to a maximum', async () => {
	const outcome = await failUntil(6);
	expect(outcome).toEqual({ result: true, attempts: 6, delays: [500, 1000, 2000, 2000, 2000] });
});

test('delays vary from a half to the whole', async () => {
	jest.mocked(Math.random).mockReturnValue(0);
	expect(await failUntil(3)).toMatchObject({ delays: [250, 500] });
});

test.each<[string, Partial<RetryOptions<boolean>>, number]>([
	['the attempts are used up', { attempts: 3 }, 3],
	['the next one would start too late', { total: 3600 }, 3],
	['the result is final', { mayPass: () => false }, 1],
	['a wait was cancelled', { wait: async () => await Promise.resolve(false) }, 1],
])('the last result is returned if %s', async (_what, options, attempts) => {
	expect(await failUntil(9, options)).toMatchObject({ result: false, attempts });
});
