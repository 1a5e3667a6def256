import type { ApiResponse } from '../../../../nodes/EmailIdentity/api/request';
import {
	isRefusal,
	mayHaveActed,
	mayRepeat,
} from '../../../../nodes/EmailIdentity/api/requests/idempotency';
import { transportFailure } from '../../../../nodes/EmailIdentity/api/failures/transportFailure';

const ASKS_TO_WAIT = { 'retry-after': '1' };

const answered = (status: number, headers: object = {}) =>
	({ status, headers, text: '', url: '' }) as ApiResponse;

test.each<[status: number, headers: object, repeated: string]>([
	[200, {}, 'no request'],
	[400, {}, 'no request'],
	[404, {}, 'no request'],
	[500, {}, 'no request'],
	[502, {}, 'GET'],
	[503, {}, 'GET'],
	[504, {}, 'GET'],
])('after the status %i with %j, what is sent again is: %s', (status, headers, repeated) => {
	const isRepeated = (method: 'GET' | 'POST') => mayRepeat({ method }, answered(status, headers));
	expect(isRepeated('POST')).toBe(false);
	expect(isRepeated('GET')).toBe(repeated === 'GET');
});

test.each<[status: number, headers: object, isRefused: boolean]>([
	[429, {}, true],
	[429, ASKS_TO_WAIT, true],
	[503, ASKS_TO_WAIT, true],
	// A proxy answers so if the service disconnects after it received the request.
	[503, {}, false],
	[503, { 'retry-after': 'soon' }, false],
	[502, ASKS_TO_WAIT, false],
])('a busy service did nothing: %i with %j, %s', (status, headers, isRefused) => {
	const exchange = answered(status, headers);
	expect(isRefusal(exchange)).toBe(isRefused);
	expect(mayHaveActed(exchange)).toBe(!isRefused);
	// The pause after a refusal repeats it, for all requests together.
	if (isRefused) expect(mayRepeat({ method: 'GET' }, exchange)).toBe(false);
});

test.each([
	[303, true],
	[302, false],
	[404, false],
	[499, false],
	[500, true],
])('the service may have acted before the status %i: %s', (status, hasActed) => {
	expect(mayHaveActed(answered(status))).toBe(hasActed);
});

test.each([
	['unreachable', false, true],
	['brokenConnection', true, false],
	['timeout', true, false],
	['blocked', false, false],
] as const)(
	'a POST after %s, with the service having perhaps acted (%s), is sent again: %s',
	(problem, hasActed, isRepeated) => {
		const failure = { ...transportFailure(problem), mayHaveActed: hasActed };
		expect(mayRepeat({ method: 'POST' }, failure)).toBe(isRepeated);
		expect(mayRepeat({ method: 'GET' }, failure)).toBe(problem !== 'blocked');
	},
);
