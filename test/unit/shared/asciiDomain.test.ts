import { asciiDomain, idnaOf } from '../../../nodes/EmailIdentity/lib/hosts';

test.each([
	['example.com', 'example.com'],
	['EXAMPLE.Com', 'example.com'],
	['bücher.example', 'xn--bcher-kva.example'],
	['xn--bcher-kva.example', 'xn--bcher-kva.example'],
	['_dmarc.example.com', '_dmarc.example.com'],
	['127.0.0.1', '127.0.0.1'],
	['0x7f.1', '0x7f.1'],
])('%s is %s', (domain, ascii) => {
	expect(asciiDomain(domain)).toBe(ascii);
});

test.each([
	'',
	'.',
	'com',
	'ｅxample.com',
	'[127.0.0.1]',
	'example.com:25',
	'a b.example',
	'x%2ecom',
	'a/b.example',
	'a@b',
])('"%s" is no domain', (domain) => {
	expect(asciiDomain(domain)).toBeNull();
});

test.each([
	['Cyrillic letters', 'раураl.com', 'paypal.com'],
	['a dotless i', 'wıkipedia.org', 'wikipedia.org'],
	['a hidden joiner', 'pay\u200Dpal.com', 'paypal.com'],
])('a domain with %s is not the one that it looks like', (_what, domain, looksLike) => {
	expect(asciiDomain(domain)).not.toBe(looksLike);
});

test('what is longer than a domain can be is not worked on: the time for it grows with the square', () => {
	expect(idnaOf(`${'ü'.repeat(30)}.example`)).toMatch(/^xn--/);
	expect(idnaOf(`${'ü'.repeat(30)}.`.repeat(9))).toBeUndefined();
});
