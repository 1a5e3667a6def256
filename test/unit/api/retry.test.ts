import type { Exchange } from '../../../nodes/EmailIdentity/api/sendRequest';
import type { ApiRequest } from '../../../nodes/EmailIdentity/api/types';
import {
	BRIEF,
	PATIENT,
	WATCHED,
	delayBeforeRepeat,
	readRetryAfter,
	type RetryPolicy,
} from '../../../nodes/EmailIdentity/api/retry';

const get: ApiRequest = { method: 'GET', path: '/me', subject: 'user' };
const post: ApiRequest = { method: 'POST', path: '/webhooks', subject: 'webhook', body: {} };
const answered = (status: number, retryAfter?: string): Exchange => ({
	response: { status, headers: { 'retry-after': retryAfter }, text: '', url: '' },
});
const failed = (problem: 'unreachable' | 'timeout' | 'unknownHost', mayHaveActed: boolean) => ({
	failure: { problem, mayHaveActed },
});

test.each([429, 502, 503, 504])('a read is repeated after %d', (status) => {
	expect(delayBeforeRepeat(get, answered(status), 1, 0, PATIENT)).toBeGreaterThan(0);
});

test.each([400, 401, 403, 404, 409, 422, 500, 501])('nothing is repeated after %d', (status) => {
	expect(delayBeforeRepeat(get, answered(status), 1, 0, PATIENT)).toBeUndefined();
});

test('a creation is repeated only where nothing can have been created', () => {
	expect(delayBeforeRepeat(post, answered(429), 1, 0, PATIENT)).toBeDefined();
	expect(delayBeforeRepeat(post, answered(503, '1'), 1, 0, PATIENT)).toBeDefined();
	expect(delayBeforeRepeat(post, failed('unreachable', false), 1, 0, PATIENT)).toBeDefined();
	expect(delayBeforeRepeat(post, answered(502), 1, 0, PATIENT)).toBeUndefined();
	expect(delayBeforeRepeat(post, answered(504), 1, 0, PATIENT)).toBeUndefined();
	expect(delayBeforeRepeat(post, answered(503), 1, 0, PATIENT)).toBeUndefined();
	expect(delayBeforeRepeat(post, failed('timeout', true), 1, 0, PATIENT)).toBeUndefined();
});

test('a creation that was probably refused is repeated where it can be looked for', () => {
	const sought: ApiRequest = { ...post, isUndone: async () => true };
	expect(delayBeforeRepeat(sought, answered(503), 1, 0, PATIENT)).toBeDefined();
	expect(delayBeforeRepeat(sought, answered(502), 1, 0, PATIENT)).toBeUndefined();
	expect(delayBeforeRepeat(sought, failed('timeout', true), 1, 0, PATIENT)).toBeUndefined();
});

test('a host that does not exist is not asked again', () => {
	expect(delayBeforeRepeat(get, failed('unknownHost', false), 1, 0, PATIENT)).toBeUndefined();
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
	['no connection', failed('unreachable', false)],
	['a connection that breaks', failed('timeout', true)],
	['a gateway without the service', answered(502)],
	['a service that is down', answered(503)],
])('%s is told within seconds to a person who waits', (_what, exchange) => {
	expect(longestWait({ ...PATIENT, ...WATCHED }, exchange)).toBeLessThanOrEqual(4_000);
	expect(longestWait({ ...PATIENT, ...BRIEF }, exchange)).toBeLessThanOrEqual(2_000);
	expect(longestWait(PATIENT, exchange)).toBeGreaterThan(10_000);
});

test.each([
	['too many requests', answered(429)],
	['a wait that it names', answered(503, '5')],
])('a service that asks for patience gets it from a watched execution: %s', (_what, exchange) => {
	expect(longestWait({ ...PATIENT, ...WATCHED }, exchange)).toBe(longestWait(PATIENT, exchange));
	expect(longestWait({ ...PATIENT, ...BRIEF }, exchange)).toBeLessThanOrEqual(4_000);
});

test('what the service asks for is waited for, unless it is longer than the patience', () => {
	expect(delayBeforeRepeat(get, answered(429, '7'), 1, 0, PATIENT)).toBeGreaterThanOrEqual(7000);
	expect(delayBeforeRepeat(get, answered(429, '3600'), 1, 0, PATIENT)).toBeUndefined();
	expect(
		delayBeforeRepeat(get, answered(429, '7'), 2, PATIENT.total - 5000, PATIENT),
	).toBeUndefined();
});

test.each([
	['3', 3000],
	['0', 0],
	[' 2 ', 2000],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['soon', undefined],
	['-5', undefined],
	[undefined, undefined],
])('Retry-After: %s', (header, expected) => {
	expect(readRetryAfter({ 'retry-after': header })).toBe(expected);
});

test('a date counts from now, or from the clock of the service where it tells its time', () => {
	const inAMinute = new Date(Date.now() + 60_000).toUTCString();
	expect(readRetryAfter({ 'retry-after': inAMinute })).toBeGreaterThan(50_000);
	const slow = { date: 'Wed, 21 Oct 2015 07:27:00 GMT' };
	expect(readRetryAfter({ ...slow, 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })).toBe(60_000);
	expect(readRetryAfter({ date: 'noon', 'retry-after': inAMinute })).toBeGreaterThan(50_000);
});
