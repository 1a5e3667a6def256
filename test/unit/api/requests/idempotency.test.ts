import type { ApiResponse } from '../../../../nodes/EmailIdentity/api/request';
import {
	isRefusal,
	mayHaveActed,
	mayRepeat,
} from '../../../../nodes/EmailIdentity/api/requests/idempotency';
import { transportFailure } from '../../../../nodes/EmailIdentity/api/failures/transportFailure';

const READING = { method: 'GET', resource: 'webhooks' } as const;
const CREATION = { method: 'POST', resource: 'webhook' } as const;
const SENDING = { method: 'POST', resource: 'email' } as const;

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
	const exchange = answered(status, headers);
	expect(mayRepeat(CREATION, exchange)).toBe(false);
	expect(mayRepeat(READING, exchange)).toBe(repeated === 'GET');
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
	expect(isRefusal(CREATION, exchange)).toBe(isRefused);
	expect(mayHaveActed(CREATION, exchange)).toBe(!isRefused);
	// The pause after a refusal repeats it, for all requests together.
	if (isRefused) expect(mayRepeat(READING, exchange)).toBe(false);
});

test.each([
	[429, true],
	[503, false],
])('a service that asks to wait with %i surely sent no email: %s', (status, isRefused) => {
	const exchange = answered(status, ASKS_TO_WAIT);
	expect(isRefusal(SENDING, exchange)).toBe(isRefused);
	expect(mayHaveActed(SENDING, exchange)).toBe(!isRefused);
	expect(mayRepeat(SENDING, exchange)).toBe(false);
});

test.each([
	[303, true],
	[302, false],
	[404, false],
	[499, false],
	[500, true],
])('the service may have acted before the status %i: %s', (status, hasActed) => {
	expect(mayHaveActed(CREATION, answered(status))).toBe(hasActed);
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
		expect(mayRepeat(CREATION, failure)).toBe(isRepeated);
		expect(mayRepeat(READING, failure)).toBe(problem !== 'blocked');
	},
);
