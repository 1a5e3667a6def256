import { identityKeysOf, isMailFor, splitPlusTag } from '../../../../lib/basics/addresses';

test.each<[string, string, string | null]>([
	['sales+orders@example.com', 'sales@example.com', 'orders'],
	['sales+a+b@example.com', 'sales@example.com', 'a+b'],
	['sales+@example.com', 'sales@example.com', null],
	['sales@example.com', 'sales@example.com', null],
	['+orders@example.com', '+orders@example.com', null],
	['"a+b"@example.com', '"a+b"@example.com', null],
	['sales@a+b.example', 'sales@a+b.example', null],
])('%s is mail for %s, with the tag %j', (recipient, identity, tag) => {
	expect(isMailFor(identity, recipient)).toBe(true);
	expect(identityKeysOf(recipient)).toEqual([recipient, identity, identity.split('@')[1]]);
	expect(splitPlusTag(recipient)).toEqual({ address: identity, tag });
});
