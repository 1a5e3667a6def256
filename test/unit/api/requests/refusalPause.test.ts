import { RefusalPause } from '../../../../nodes/EmailIdentity/api/requests/refusalPause';
import { PATIENCE, type RetryPolicy } from '../../../../nodes/EmailIdentity/api/requests/retry';

describe('a busy service', () => {
	const refusal = (retryAfter?: string) => ({ headers: { 'retry-after': retryAfter } });
	let now: number;

	beforeEach(() => {
		now = 1_000_000;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	/** How long it is given when it refuses everything, in milliseconds. */
	const patienceOf = (policy: Partial<RetryPolicy>, retryAfter?: string) => {
		const pause = new RefusalPause({ ...PATIENCE.production, ...policy });
		const start = now;
		while (pause.refused(refusal(retryAfter), now)) now += Math.max(1, pause.msLeft);
		return now - start;
	};

	test('pauses all requests as long as it asks, once for concurrent refusals', () => {
		const pause = new RefusalPause(PATIENCE.production);
		const sentAt = now;
		expect(pause.refused(refusal('7'), sentAt)).toBe(true);
		const { msLeft } = pause;
		expect(msLeft).toBeGreaterThanOrEqual(7000);
		for (let request = 0; request < 20; request++) pause.refused(refusal(), sentAt);
		expect(pause.msLeft).toBe(msLeft);
	});

	test('gets longer pauses if it does not say how long', () => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		const pause = new RefusalPause(PATIENCE.production);
		const pauses = [1, 2, 3, 4, 5].map(() => {
			pause.refused(refusal(), now);
			const { msLeft } = pause;
			now += msLeft;
			return msLeft;
		});
		expect(pauses).toEqual([500, 1000, 2000, 4000, 8000]);
		pause.accepted();
		pause.refused(refusal(), now);
		expect(pause.msLeft).toBe(500);
	});

	test('is asked until attempts or time run out', () => {
		const asked = (PATIENCE.production.attempts - 1) * 5000;
		expect(patienceOf({}, '5')).toBeGreaterThanOrEqual(asked);
		expect(patienceOf(PATIENCE.editor, '5')).toBeGreaterThanOrEqual(asked);
		expect(patienceOf({}, '50')).toBeLessThanOrEqual(PATIENCE.production.total);
		expect(patienceOf({}, '3600')).toBe(0);
		expect(patienceOf(PATIENCE.dropDown)).toBeLessThanOrEqual(4_000);
		expect(patienceOf({ attempts: 1 }, '1')).toBe(0);
	});
});
