import {
	dnsResolverProblem,
	readDnsResolvers,
	USUAL_RESOLVERS,
} from '../../../../nodes/EmailIdentity/shared/editor/fields';

test.each([
	['nobody named', '', USUAL_RESOLVERS],
	['blanks', ' \n', USUAL_RESOLVERS],
	['one, and no other', ' https://dns.example.com/q ', ['https://dns.example.com/q']],
	[
		'several, in their order',
		'https://b.example.com/q,https://a.example.com/q ; https://c.example.com/q\nhttps://d.example.com/q',
		['b', 'a', 'c', 'd'].map((name) => `https://${name}.example.com/q`),
	],
])('who is asked: %s', (_case, text, addresses) => {
	expect(readDnsResolvers(text)).toEqual(addresses);
});

test.each([
	'',
	'https://dns.example.com/dns-query',
	'https://10.0.0.1:8443/dns-query',
	'http://localhost:8053/dns-query',
	'http://192.168.1.2/dns-query',
	'http://[fd00::1]/dns-query',
	'http://dnsdist:8053/dns-query',
])('%s can be asked', (text) => {
	expect(dnsResolverProblem(text)).toBeUndefined();
});

test.each([
	['1.1.1.1', /complete URL/],
	['ftp://dns.example.com', /complete URL/],
	['http://dns.example.com/secret', /dns\.example\.com .*must start with https/],
	['http://8.8.8.8/dns-query', /8\.8\.8\.8 .*must start with https/],
	['https://dns.google/q, https://me:secret@dns.example.com/q', /dns\.example\.com .*password/],
])('%s cannot', (text, problem) => {
	expect(dnsResolverProblem(text)).toMatch(problem);
	expect(dnsResolverProblem(text)).not.toContain('secret');
});
