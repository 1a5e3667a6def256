import { transportFailure, type Exchange } from '../../../nodes/EmailIdentity/api/request';
import type { ApiRequest, ApiResponse } from '../../../nodes/EmailIdentity/api/types';
import {
	BRIEF,
	PATIENT,
	RefusalPause,
	WATCHED,
	delayBeforeRepeat,
	isRefusal,
	readRetryAfter,
	type RetryPolicy,
} from '../../../nodes/EmailIdentity/api/retry';

const get: ApiRequest = { method: 'GET', path: '/me', subject: 'user' };
const post: ApiRequest = { method: 'POST', path: '/webhooks', subject: 'webhook', body: {} };
const answered = (status: number, retryAfter?: string): ApiResponse => ({
	...{ status, headers: { 'retry-after': retryAfter }, text: '', url: '' },
});

test.each([
	[answered(503), false],
	[answered(503, '1'), false],
	[transportFailure('timeout'), false],
	[transportFailure('unreachable'), true],
])('a creation is sent again after %j: %p', (exchange, isRepeated) => {
	expect(delayBeforeRepeat(post, exchange, 1, 0, PATIENT) !== undefined).toBe(isRepeated);
	expect(delayBeforeRepeat(get, exchange, 1, 0, PATIENT) !== undefined).toBe(
		'problem' in exchange || !isRefusal(exchange),
	);
});

test('delays grow, differ, and are bounded', () => {
	const delays = [1, 2, 3, 4, 5].map((attempt) =>
		delayBeforeRepeat(get, answered(503), attempt, 0, PATIENT),
	) as number[];
	delays.forEach((delay, index) => {
		const full = Math.min(PATIENT.firstDelay * 2 ** index, PATIENT.longestDelay);
		expect(delay).toBeGreaterThanOrEqual(full / 2);
		expect(delay).toBeLessThanOrEqual(full);
	});
	expect(delayBeforeRepeat(get, answered(503), PATIENT.attempts, 0, PATIENT)).toBeUndefined();
});

/** How long the waits between attempts are together when every one of them is as long as it can be. */
function longestWait(policy: RetryPolicy, exchange: Exchange): number {
	const random = jest.spyOn(Math, 'random').mockReturnValue(1);
	let waited = 0;
	for (let attempt = 1; ; attempt++) {
		const delay = delayBeforeRepeat(get, exchange, attempt, waited, policy);
		if (delay === undefined) break;
		waited += delay;
	}
	random.mockRestore();
	return waited;
}

test.each([
	['no connection', transportFailure('unreachable')],
	['a connection that breaks', transportFailure('timeout')],
	['a gateway without the service', answered(502)],
	['a service that is down', answered(503)],
])('%s is told within seconds to a person who waits', (_what, exchange) => {
	expect(longestWait({ ...PATIENT, ...WATCHED }, exchange)).toBeLessThanOrEqual(4_000);
	expect(longestWait({ ...PATIENT, ...BRIEF }, exchange)).toBeLessThanOrEqual(2_000);
	expect(longestWait(PATIENT, exchange)).toBeGreaterThan(10_000);
});

describe('a service that has too much to do', () => {
	const refusal = (retryAfter?: string) => ({ headers: { 'retry-after': retryAfter } });
	let now: number;

	beforeEach(() => {
		now = 1_000_000;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	/** How long it is given when it refuses everything, in milliseconds. */
	const patienceOf = (policy: Partial<RetryPolicy>, retryAfter?: string) => {
		const pause = new RefusalPause({ ...PATIENT, ...policy });
		const start = now;
		while (pause.refused(refusal(retryAfter), now)) now += Math.max(1, pause.left);
		return now - start;
	};

	test.each([
		[429, undefined, true],
		[503, '1', true],
		[503, undefined, false],
		[502, '1', false],
		[200, '1', false],
	])('%d with Retry-After %s refuses: %p', (status, retryAfter, expected) => {
		expect(isRefusal({ status, ...refusal(retryAfter) })).toBe(expected);
	});

	test('makes all requests wait as long as it asks for, and those of one round once', () => {
		const pause = new RefusalPause(PATIENT);
		const sentAt = now;
		expect(pause.refused(refusal('7'), sentAt)).toBe(true);
		const { left } = pause;
		expect(left).toBeGreaterThanOrEqual(7000);
		for (let request = 0; request < 20; request++) pause.refused(refusal(), sentAt);
		expect(pause.left).toBe(left);
	});

	test('gets longer pauses with each round, where it does not say how long', () => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		const pause = new RefusalPause(PATIENT);
		const pauses = [1, 2, 3, 4, 5].map(() => {
			pause.refused(refusal(), now);
			const { left } = pause;
			now += left;
			return left;
		});
		expect(pauses).toEqual([500, 1000, 2000, 4000, 8000]);
		pause.accepted();
		pause.refused(refusal(), now);
		expect(pause.left).toBe(500);
	});

	test('gets the whole patience since something got through, and not more', () => {
		const asked = (PATIENT.attempts - 1) * 5000;
		expect(patienceOf({}, '5')).toBeGreaterThanOrEqual(asked);
		expect(patienceOf(WATCHED, '5')).toBeGreaterThanOrEqual(asked);
		expect(patienceOf({}, '50')).toBeLessThanOrEqual(PATIENT.total);
		expect(patienceOf(BRIEF)).toBeLessThanOrEqual(4_000);
		expect(patienceOf({ attempts: 1 }, '1')).toBe(0);
	});

	test('that asks for more than the patience makes no request wait', () => {
		const pause = new RefusalPause(PATIENT);
		expect(pause.refused(refusal('3600'), now)).toBe(false);
		expect(pause.left).toBe(0);
	});
});

test.each([
	['3', 3000],
	['0', 0],
	[' 2 ', 2000],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['soon', undefined],
	[undefined, undefined],
])('Retry-After: %s', (header, expected) => {
	expect(readRetryAfter({ 'retry-after': header })).toBe(expected);
});

test('a date counts from now', () => {
	const inAMinute = new Date(Date.now() + 60_000).toUTCString();
	expect(readRetryAfter({ 'retry-after': inAMinute })).toBeGreaterThan(50_000);
});
