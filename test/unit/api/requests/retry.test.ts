import { readRetryAfter } from '../../../../nodes/EmailIdentity/api/requests/retry';

test.each([
	['0', 0],
	[' 2 ', 2000],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	[undefined, undefined],
])('Retry-After: %s', (header, expected) => {
	expect(readRetryAfter({ 'retry-after': header })).toBe(expected);
});
