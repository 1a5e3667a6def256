import { asciiDomain } from '../../../../lib/dns/domainNames';

test.each([
	['example.com', 'example.com'],
	['bücher.example', 'xn--bcher-kva.example'],
	['xn--bcher-kva.example', 'xn--bcher-kva.example'],
	['_dmarc.example.com', '_dmarc.example.com'],
	['127.0.0.1', '127.0.0.1'],
	['0x7f.1', '0x7f.1'],
])('%s is %s', (domain, ascii) => {
	expect(asciiDomain(domain)).toBe(ascii);
});

const NO_DOMAINS =
	'|.|com|ｅxample.com|[127.0.0.1]|example.com:25|a b.example|x%2ecom|a/b.example|a@b'.split('|');

test.each(NO_DOMAINS)('"%s" is no domain', (domain) => {
	expect(asciiDomain(domain)).toBeNull();
});
