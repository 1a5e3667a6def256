import {
	addressToProve,
	matchesProvedAddress,
	provedAddressProblem,
} from '../../../../nodes/EmailIdentity/trigger/delivery/addressPatterns';

const matches = (list: string, address: string, name = '') =>
	matchesProvedAddress(list, addressToProve({ name, address }));

test.each([
	['ada@example.com', 'ada@example.com'],
	['ada@example.com', 'ADA@Example.COM'],
	['Ada <ada@example.com>', 'ada@example.com'],
	['bob@example.com, ada@example.com', 'ada@example.com'],
	['example.com', 'anybody@example.com'],
	['@example.com', 'anybody@example.com'],
	['*.example.com', 'ada@mail.example.com'],
	['*@example.com', 'ada@example.com'],
	['invoices-*@example.com', 'invoices-42@example.com'],
	['bücher.example', 'ada@xn--bcher-kva.example'],
	['xn--bcher-kva.example', 'ada@bücher.example'],
	['*.bücher.example', 'ada@mail.xn--bcher-kva.example'],
	['ada@bücher.example', 'ada@BÜCHER.example'],
])('From "%s" lets %s through', (list, address) => {
	expect(matches(list, address)).toBe(true);
});

test.each([
	['ada@example.com', 'eve@example.com'],
	['example.com', 'ada@mail.example.com'],
	['example.com', 'ada@example.com.evil.example'],
	['example.com', 'ada@evilexample.com'],
	['*@example.com', '"x@example.com"@evil.example'],
	['ada@example.com', 'ada@example.com@evil.example'],
	['paypal.com', 'service@раураl.com'],
	['ada@example.com', 'ada@exаmple.com'],
	['kate@example.com', '\u212Aate@example.com'],
	['example.com', 'example.com'],
	['example.com', '@example.com'],
	['example.com', ''],
])('From "%s" does not let %s through', (list, address) => {
	expect(matches(list, address)).toBe(false);
});

test.each(['Ada', '"ada@example.com"', 'ada*', '*example*'])(
	'what is compared with names, %s, lets nobody through',
	(list) => {
		expect(matches(list, 'ada@evil.example', 'Ada ada@example.com example')).toBe(false);
	},
);

test('nothing is compared where nothing is listed', () => {
	expect(matches('', 'ada@example.com')).toBeUndefined();
	expect(matches(' , ', 'ada@example.com')).toBeUndefined();
});

test.each(['Ada Lovelace', 'ada@example.com, Ada', 'ada*', '"Lovelace, Ada"'])(
	'names in From, %s, are refused with the right forms',
	(list) => {
		expect(provedAddressProblem(list)).toMatch(/is a name, .*write an address \(ada@example.com\)/);
	},
);

test('what can never match is refused as ever', () => {
	expect(provedAddressProblem('a@b@c')).toMatch(/more than one @/);
	expect(provedAddressProblem('ada@example.com, *.example.com; @example.org')).toBeUndefined();
	expect(provedAddressProblem('')).toBeUndefined();
});
