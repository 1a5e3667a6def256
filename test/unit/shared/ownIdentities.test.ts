import { toOwnIdentities } from '../../../nodes/EmailIdentity/shared/ownIdentities';

const own = toOwnIdentities([
	{ id: '1', kind: 'email', value: 'Sales@Example.com' },
	{ id: '2', kind: 'domain', value: 'alice.example' },
	{ id: '3', kind: 'domain', value: 'bücher.example' },
	{ id: '4', value: null },
]);

test.each([
	'sales@example.com',
	'SALES@EXAMPLE.COM',
	'sales+orders@example.com',
	'anybody@alice.example',
	'anybody@xn--bcher-kva.example',
])('%s is mail for an identity', (address) => {
	expect(own.isOwn(address)).toBe(true);
});

test.each([
	'other@example.com',
	'sales@example.org',
	'+orders@example.com',
	'anybody@sub.alice.example',
	'alice.example',
	'@alice.example',
	'anybody@',
	'',
])('%j is not', (address) => {
	expect(own.isOwn(address)).toBe(false);
});
