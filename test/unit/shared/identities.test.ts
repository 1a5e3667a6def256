import { isDomainIdentity } from '../../../nodes/EmailIdentity/shared/identities';

test.each([
	['domain', 'example.test', true],
	['Domain', null, true],
	['host', '@example.test', true],
	['host', 'sales@example.test', false],
	['host', null, false],
	[null, 'example.test', true],
	[null, 'sales@example.test', false],
	['email', 'sales@example.test', false],
])('of kind %p with the value %p: a domain is %p', (kind, value, expected) => {
	expect(isDomainIdentity({ kind, value })).toBe(expected);
});
