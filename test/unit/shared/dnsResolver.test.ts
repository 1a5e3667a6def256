import {
	USUAL_RESOLVERS,
	dnsResolverProblem,
	readDnsResolvers,
} from '../../../nodes/EmailIdentity/shared/dnsResolver';

describe('who is asked', () => {
	test.each([
		['nobody named', '', USUAL_RESOLVERS],
		['blanks', ' \n', USUAL_RESOLVERS],
		['one, and no other', ' https://dns.example.com/q ', ['https://dns.example.com/q']],
		[
			'several, in their order',
			'https://b.example.com/q,https://a.example.com/q ; https://c.example.com/q\nhttps://d.example.com/q',
			['b', 'a', 'c', 'd'].map((name) => `https://${name}.example.com/q`),
		],
		['as in RFC 8484', 'https://dns.example.com/q{?dns}', ['https://dns.example.com/q']],
	])('%s', (_case, text, addresses) => {
		expect(readDnsResolvers(text)).toEqual(addresses);
	});
});

describe('an address that can be asked', () => {
	test.each([
		'',
		'https://dns.example.com/dns-query',
		'https://10.0.0.1:8443/dns-query',
		'http://localhost:8053/dns-query',
		'http://127.0.0.1/dns-query',
		'http://192.168.1.2/dns-query',
		'http://[fd00::1]/dns-query',
		'http://dnsdist:8053/dns-query',
		'http://dns.home.arpa/dns-query',
	])('%s', (text) => {
		expect(dnsResolverProblem(text)).toBeUndefined();
	});
});

describe('an address that cannot', () => {
	test.each([
		[
			'1.1.1.1',
			'DNS Resolver must be a complete address such as https://dns.example.com/dns-query',
		],
		[
			'dns.example.com:53',
			'DNS Resolver must be a complete address such as https://dns.example.com/dns-query',
		],
		[
			'ftp://dns.example.com',
			'DNS Resolver must be a complete address such as https://dns.example.com/dns-query',
		],
		[
			'http://dns.example.com/secret',
			'The address of the DNS Resolver dns.example.com must start with https://; http is for servers in your own network',
		],
		[
			'http://8.8.8.8/dns-query',
			'The address of the DNS Resolver 8.8.8.8 must start with https://; http is for servers in your own network',
		],
		[
			'https://dns.google/dns-query, https://me:secret@dns.example.com/q',
			'The address of the DNS Resolver dns.example.com must not hold a user name or password',
		],
	])('%s', (text, problem) => {
		expect(dnsResolverProblem(text)).toBe(problem);
	});
});
