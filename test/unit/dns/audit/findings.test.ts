import type { Identity } from '../../../../nodes/EmailIdentity/api/types';
import type { DnsResolver } from '../../../../nodes/EmailIdentity/dns/resolver/types';
import { createZoneResolver, type Zones } from '../zoneResolver';
import { check, codesOf } from './check';
import { DMARC, rsaKey } from './rightDomains';

const KEY = rsaKey();
const SHORT_KEY = rsaKey(768);
const ED25519_KEY = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

const NO_MAIL = { incomingDomain: false };
const mx = (exchange: string, preference = 10) => ({ preference, exchange });

/** A domain in which all is right, with some of its names changed. */
const zones = (changed: Zones): Zones => ({
	'example.com': { TXT: ['v=spf1 -all'], MX: [mx('mx.service.example')] },
	'_dmarc.example.com': { TXT: [DMARC] },
	...changed,
});

const spf = (text: string, others: Zones = {}): Zones =>
	zones({ 'example.com': { TXT: [text], MX: [mx('mx.service.example')] }, ...others });

const dmarc = (...texts: string[]): Zones => zones({ '_dmarc.example.com': { TXT: texts } });

const dkim = (...texts: string[]): Zones => zones({ 's._domainkey.example.com': { TXT: texts } });

const needs = (...dnsRecords: unknown[]): Partial<Identity> => ({ dnsRecords });

const needsKey = (value: string) => needs({ type: 'TXT', name: 's._domainkey.example.com', value });

const needsMx = needs({ type: 'MX', name: 'example.com', value: '10 mx.service.example' });

const ELEVEN = Array.from({ length: 11 }, (_, index) => `a:h${index}.example.net`);
const hosts: Zones = Object.fromEntries(
	ELEVEN.map((term) => [term.slice(2), { A: ['192.0.2.1'] }]),
);

interface Case {
	what: string;
	zones: Zones;
	identity?: Partial<Identity>;
	found: string[];
}

const APEX = 'example.com';

const CASES: Case[] = [
	{ what: 'nothing to complain about', zones: zones({}), found: [] },
	{ what: 'a domain that is gone', zones: {}, found: ['domainGone'] },
	{
		what: 'a domain that is gone, from under a suffix of several parts',
		zones: { 'co.uk': { NS: ['ns.example'] } },
		identity: { value: 'example.co.uk' },
		found: ['domainGone'],
	},
	{
		what: 'a subdomain of which nothing has been entered yet',
		zones: zones({}),
		identity: {
			...{ value: 'news.example.com', ...NO_MAIL },
			...needs({ type: 'TXT', name: 's._domainkey', value: KEY }),
		},
		found: ['spfMissing news.example.com', 'dnsRecordMissing s._domainkey.news.example.com'],
	},
	{
		what: 'a subdomain of a domain that is gone',
		zones: {},
		identity: { value: 'news.example.com' },
		found: ['domainGone'],
	},
	{
		what: 'a subdomain of a domain that cannot be asked for',
		zones: { [APEX]: { serverFailure: 'SERVFAIL' } },
		identity: { value: 'news.example.com' },
		found: ['dnsUnknown'],
	},

	{
		what: 'no MX record',
		zones: zones({ [APEX]: { TXT: ['v=spf1 -all'] } }),
		found: ['mxMissing example.com'],
	},
	{
		what: 'no MX record where it only sends',
		zones: zones({ [APEX]: { TXT: ['v=spf1 -all'] } }),
		identity: { ...NO_MAIL, ...needsMx },
		found: [],
	},
	{
		what: 'no MX record where nobody says whether it receives',
		zones: zones({ [APEX]: { TXT: ['v=spf1 -all'] } }),
		identity: { incomingDomain: null },
		found: [],
	},
	{
		what: 'an MX record that says there is no mail',
		zones: zones({ [APEX]: { TXT: ['v=spf1 -all'], MX: [mx('', 0)] } }),
		found: ['mxMissing example.com'],
	},
	{
		what: 'an MX record elsewhere',
		zones: zones({ [APEX]: { TXT: ['v=spf1 -all'], MX: [mx('mx.elsewhere.example')] } }),
		identity: needsMx,
		found: ['mxElsewhere example.com'],
	},
	{
		what: 'an MX record elsewhere that is asked as often',
		zones: zones({
			[APEX]: { TXT: ['v=spf1 -all'], MX: [mx('mx.service.example'), mx('mx.elsewhere.example')] },
		}),
		identity: needsMx,
		found: ['mxElsewhere example.com'],
	},
	{
		what: 'an MX record elsewhere that is asked when the service does not answer',
		zones: zones({
			[APEX]: {
				TXT: ['v=spf1 -all'],
				MX: [mx('MX.Service.Example.'), mx('mx.elsewhere.example', 20)],
			},
		}),
		identity: needsMx,
		found: ['mxBackup example.com'],
	},
	{
		what: 'one of two MX records',
		zones: zones({}),
		identity: needs(
			...['mx', 'mx2'].map((host) => ({ type: 'MX', name: '@', value: `${host}.service.example` })),
		),
		found: ['dnsRecordMissing example.com'],
	},

	{
		what: 'no SPF record',
		zones: zones({ [APEX]: { TXT: ['hello'], MX: [mx('mx.service.example')] } }),
		found: ['spfMissing example.com'],
	},
	{
		what: 'an SPF record in quotes',
		zones: spf('"v=spf1 -all"'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'two SPF records',
		zones: zones({
			[APEX]: { TXT: ['v=spf1 a -all', 'v=spf1 mx -all'], MX: [mx('mx.service.example')] },
		}),
		found: ['spfDoubled example.com'],
	},
	{
		what: 'an unknown mechanism',
		zones: spf('v=spf1 ipv4:192.0.2.1 -all'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'an address that is none',
		zones: spf('v=spf1 ip4:192.0.2.256 -all'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'a network that is none',
		zones: spf('v=spf1 ip4:192.0.2.0/33 -all'),
		found: ['spfInvalid example.com'],
	},
	{ what: 'an IPv6 network', zones: spf('v=spf1 ip6:2001:db8::/32 -all'), found: [] },
	{
		what: 'an IPv6 address that is none',
		zones: spf('v=spf1 ip6:2001:db8:: ip6:1.2.3.4 -all'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'macros',
		zones: spf('v=spf1 exists:%{ir}.%{v}._spf.%{d2} include:%{d}._spf.example.net -all'),
		found: [],
	},
	{
		what: 'an include without a domain',
		zones: spf('v=spf1 include: -all'),
		found: ['spfInvalid example.com'],
	},
	{ what: 'an unknown modifier', zones: spf('v=spf1 since=2026 -all'), found: [] },
	{
		what: 'redirect twice',
		zones: spf('v=spf1 redirect=a.example redirect=b.example'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'an include without an SPF record',
		zones: spf('v=spf1 include:gone.example -all'),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'a mistake in an include',
		zones: spf('v=spf1 include:inc.example -all', { 'inc.example': { TXT: ['v=spf1 foo -all'] } }),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'two records in an include',
		zones: spf('v=spf1 include:inc.example -all', {
			'inc.example': { TXT: ['v=spf1 a', 'v=spf1'] },
		}),
		found: ['spfInvalid example.com'],
	},
	{
		what: 'an include of itself',
		zones: spf('v=spf1 include:example.com -all'),
		found: ['spfLoop example.com'],
	},
	{
		what: 'a circle',
		zones: spf('v=spf1 include:b.example -all', {
			'b.example': { TXT: ['v=spf1 redirect=c.example'] },
			'c.example': { TXT: ['v=spf1 include:EXAMPLE.com ~all'] },
		}),
		found: ['spfLoop example.com'],
	},
	{
		what: 'ten look-ups',
		zones: spf(`v=spf1 ${ELEVEN.slice(1).join(' ')} -all`, hosts),
		found: [],
	},
	{
		what: 'eleven look-ups',
		zones: spf(`v=spf1 ${ELEVEN.join(' ')} -all`, hosts),
		found: ['spfTooManyLookups example.com'],
	},
	{
		what: 'eleven look-ups, of all kinds, over includes',
		zones: spf('v=spf1 include:b.example a mx ptr exists:h1.example.net -all', {
			...hosts,
			[APEX]: {
				A: ['192.0.2.1'],
				MX: [mx('mx.service.example')],
				TXT: ['v=spf1 include:b.example a mx ptr exists:h1.example.net -all'],
			},
			'b.example': {
				TXT: ['v=spf1 a:h2.example.net mx:example.com a:h3.example.net include:c.example ~all'],
			},
			'c.example': { TXT: ['v=spf1 a:h4.example.net redirect=d.example'] },
			'd.example': { TXT: ['v=spf1 ip4:192.0.2.9 -all'] },
		}),
		found: ['spfTooManyLookups example.com'],
	},
	{ what: 'what stands behind all', zones: spf(`v=spf1 -all ${ELEVEN.join(' ')}`), found: [] },
	{
		what: 'three names that are not there',
		zones: spf('v=spf1 a:x.example mx:y.example exists:z.example -all'),
		found: ['spfVoidLookups example.com'],
	},
	{
		what: 'two names that are not there',
		zones: spf('v=spf1 a:x.example mx:y.example -all'),
		found: [],
	},
	{ what: 'no end', zones: spf('v=spf1 ip4:192.0.2.1'), found: ['spfWithoutEnd example.com'] },
	{ what: 'everybody', zones: spf('v=spf1 +all'), found: ['spfAllowsEverybody example.com'] },
	{
		what: 'another end than the service recommends',
		zones: spf('v=spf1 include:inc.example ?all', { 'inc.example': { TXT: ['v=spf1 -all'] } }),
		identity: needs({ type: 'TXT', name: APEX, value: 'v=spf1 include:INC.example ~all' }),
		found: [],
	},
	{
		what: "an SPF record without the service's servers",
		zones: spf('v=spf1 ip4:192.0.2.1 -include:inc.example -all', {
			'inc.example': { TXT: ['v=spf1 -all'] },
		}),
		identity: needs({ type: 'TXT', name: APEX, value: 'v=spf1 include:inc.example ~all' }),
		found: ['dnsRecordDifferent example.com'],
	},

	{
		what: 'a DKIM key of Ed25519',
		zones: dkim(ED25519_KEY),
		identity: needsKey(ED25519_KEY),
		found: [],
	},
	{
		what: 'a DKIM key in other words',
		zones: dkim(`p=${KEY.split('p=')[1]};`),
		identity: needsKey(KEY),
		found: [],
	},
	{
		what: 'no DKIM key',
		zones: zones({}),
		identity: needsKey(KEY),
		found: ['dnsRecordMissing s._domainkey.example.com'],
	},
	{
		what: 'another DKIM key',
		zones: dkim(rsaKey(1024)),
		identity: needsKey(KEY),
		found: ['dnsRecordDifferent s._domainkey.example.com'],
	},
	{
		what: 'a revoked DKIM key',
		zones: dkim('v=DKIM1; p='),
		identity: needsKey(KEY),
		found: ['dkimKeyRevoked s._domainkey.example.com'],
	},
	{
		what: 'a DKIM key with a damaged end',
		zones: dkim(KEY.slice(0, -20)),
		identity: needsKey(KEY),
		found: ['dkimKeyMalformed s._domainkey.example.com'],
	},
	{
		what: 'two DKIM keys',
		zones: dkim(KEY, rsaKey(1024)),
		identity: needsKey(KEY),
		found: ['dkimKeyMalformed s._domainkey.example.com'],
	},
	{
		what: 'a DKIM key for other things',
		zones: dkim(KEY.replace('k=rsa', 's=chat')),
		identity: needsKey(KEY),
		found: ['dkimKeyMalformed s._domainkey.example.com'],
	},
	{
		what: 'a DKIM key of an unknown version',
		zones: dkim(KEY.replace('DKIM1', 'DKIM2')),
		identity: needsKey(KEY),
		found: ['dkimKeyMalformed s._domainkey.example.com'],
	},
	{
		what: 'a DKIM key that is too short',
		zones: dkim(SHORT_KEY),
		identity: needsKey(SHORT_KEY),
		found: ['dkimKeyTooShort s._domainkey.example.com'],
	},
	{
		what: 'a DKIM key in testing',
		zones: dkim(`${KEY}; t=s:y`),
		identity: needsKey(KEY),
		found: ['dkimKeyTesting s._domainkey.example.com'],
	},
	{
		what: 'an alias to a DKIM key that is not there',
		zones: zones({ 's._domainkey.example.com': { CNAME: ['s.service.example'] } }),
		identity: needs({ type: 'CNAME', name: 's._domainkey', value: 's.service.example' }),
		found: ['dkimKeyMissing s._domainkey.example.com'],
	},
	{
		what: "a provider's key in the place of the alias to it",
		zones: { ...dkim(KEY), 's.service.example': { TXT: [KEY] } },
		identity: needs({ type: 'cname', name: 's._domainkey', value: 's.service.example' }),
		found: [],
	},
	{
		what: 'an alias to somewhere else',
		zones: zones({ 's._domainkey.example.com': { CNAME: ['s.elsewhere.example'] } }),
		identity: needs({ type: 'CNAME', name: 's._domainkey', value: 's.service.example' }),
		found: ['dnsRecordDifferent s._domainkey.example.com'],
	},

	{ what: 'no DMARC record', zones: dmarc('hello'), found: ['dmarcMissing _dmarc.example.com'] },
	{
		what: 'two DMARC records',
		zones: dmarc(DMARC, DMARC),
		found: ['dmarcDoubled _dmarc.example.com'],
	},
	{
		what: 'p=none',
		zones: dmarc('v=DMARC1; p=none'),
		found: ['dmarcPolicyNone _dmarc.example.com'],
	},
	{
		what: 'a DMARC record in small letters',
		zones: dmarc('v=dmarc1; p=reject'),
		found: ['dmarcInvalid _dmarc.example.com'],
	},
	{
		what: 'a blank before a DMARC record',
		zones: dmarc(' v=DMARC1; p=reject'),
		found: ['dmarcInvalid _dmarc.example.com'],
	},
	{
		what: 'a DMARC record without a policy',
		zones: dmarc('v=DMARC1; rua=mailto:a@example.com'),
		found: ['dmarcInvalid _dmarc.example.com'],
	},
	{
		what: 'an unknown policy',
		zones: dmarc('v=DMARC1; p=block'),
		found: ['dmarcInvalid _dmarc.example.com'],
	},
	{
		what: 'a DMARC record without semicolons',
		zones: dmarc('v=DMARC1; p=none rua=mailto:a@example.com'),
		found: ['dmarcInvalid _dmarc.example.com'],
	},
	{
		what: 'a weaker policy than the service wants',
		zones: dmarc('v=DMARC1; p=quarantine'),
		identity: needs({ type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=reject' }),
		found: ['dnsRecordDifferent _dmarc.example.com'],
	},
	{
		what: 'a domain below one whose policy for subdomains is none',
		zones: {
			'news.example.com': { TXT: ['v=spf1 -all'] },
			'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; sp=none'] },
		},
		identity: { value: 'news.example.com', ...NO_MAIL },
		found: ['dmarcPolicyNone _dmarc.example.com'],
	},

	{
		what: 'a text that proves the owner, in quotes',
		zones: zones({
			[APEX]: { TXT: ['v=spf1 -all', '"service=abc"'], MX: [mx('mx.service.example')] },
		}),
		identity: needs({ type: 'TXT', name: APEX, value: 'service=abc' }),
		found: ['dnsRecordDifferent example.com'],
	},
	{
		what: 'no text that proves the owner',
		zones: zones({}),
		identity: needs({ type: 'TXT', name: APEX, value: '"service=" "abc"' }),
		found: ['dnsRecordMissing example.com'],
	},
	{
		what: 'a record that a form put below the domain once more',
		zones: zones({ 'em.example.com.example.com': { CNAME: ['u1.service.example'] } }),
		identity: needs({ type: 'CNAME', name: 'em.example.com', value: 'u1.service.example' }),
		found: ['dnsRecordMissing em.example.com'],
	},
	{
		what: 'another mail server for what comes back',
		zones: zones({ 'back.example.com': { MX: [mx('mx.elsewhere.example')] } }),
		identity: needs({ type: 'MX', name: 'back', value: 'feedback.service.example', priority: 10 }),
		found: ['dnsRecordDifferent back.example.com'],
	},
	{
		what: 'a name in Unicode',
		zones: {
			'xn--bcher-kva.example': { TXT: ['v=spf1 -all'], MX: [mx('mx.service.example')] },
			'_dmarc.xn--bcher-kva.example': { TXT: [DMARC] },
			'em.xn--bcher-kva.example': { CNAME: ['u1.service.example'] },
		},
		identity: {
			value: 'Bücher.example.',
			...needs({ type: 'CNAME', name: 'em.bücher.example', value: 'u1.service.example' }),
		},
		found: [],
	},
	{
		what: 'records that cannot be compared',
		zones: zones({}),
		identity: needs(
			'text',
			null,
			{ type: 'SRV', name: 'x', value: 'y' },
			{ type: 'TXT' },
			{ type: 'MX', value: 'a b c' },
		),
		found: [],
	},
];

test.each(CASES)('$what: $found', async ({ zones: there, identity = {}, found }) => {
	expect(codesOf(await check(createZoneResolver(there), identity))).toEqual(found);
});

test.each([
	['a:203.0.113.5'],
	['mx:203.0.113.5'],
	['ip4=203.0.113.5'],
	['exp='],
	['exp=%{x}.example.com'],
	['exp=localhost'],
	['a:example.com:8080'],
	['a:example..com'],
	['exists:%{d0}.example.net'],
	['exists:%{d'],
	['exists:%d.example.net'],
	['since=%{'],
	['constructor'],
	['constructor:example.com'],
	['a:example.com/33'],
	['ip6:1:2:3:4:5:6:7:8:9'],
	['ip6:::1::2'],
])('SPF: receivers do not take %s', async (term) => {
	const found = await check(createZoneResolver(spf(`v=spf1 ${term} -all`)), {});
	expect(codesOf(found)).toEqual(['spfInvalid example.com']);
});

test.each([
	['a:foo:bar/baz'],
	['a:foo:bar/baz.example.com'],
	['exp=explain._spf.%{d}'],
	['exists:%{l1r-}.%%.%{i}'],
	['ip6:::ffff:192.0.2.1'],
	['ip6:2001:db8::1/64'],
	['a/24//64'],
	['a:example.com/24'],
	['since=%{d}'],
])('SPF: receivers take %s', async (term) => {
	const found = await check(createZoneResolver(spf(`v=spf1 ${term} -all`)), {});
	expect(codesOf(found)).toEqual([]);
});

test.each([
	['a list', [{ type: 'TXT', name: 'x', value: 'a=b' }]],
	['groups', { sending: [{ type: 'TXT', name: 'x', value: 'a=b' }], receiving: [] }],
	['by name', { verification: { type: 'TXT', name: 'x', value: 'a=b' } }],
	['a single one', { type: 'TXT', name: 'x.example.com.', value: 'a=b' }],
])('records are found in %s', async (_what, dnsRecords) => {
	const found = await check(createZoneResolver(zones({})), { dnsRecords });

	expect(codesOf(found)).toEqual(['dnsRecordMissing x.example.com']);
});

test('of a subdomain that is there, the domain above it is not asked for itself', async () => {
	const resolver = createZoneResolver(zones({ 'news.example.com': { TXT: ['v=spf1 -all'] } }));
	await check(resolver, { value: 'news.example.com', ...NO_MAIL });

	expect(resolver.asked).not.toContain('example.com TXT');
});

test('a mistake in the form is named', async () => {
	const { problems } = await check(
		createZoneResolver(zones({ 'em.example.com.example.com': { CNAME: ['u1.service.example'] } })),
		needs({ type: 'CNAME', name: 'em.example.com', value: 'u1.service.example' }),
	);

	expect(problems[0]?.reason).toMatch(/^It stands at em\.example\.com\.example\.com/);
});

test('what is to be entered keeps what others need', async () => {
	const there = spf('v=spf1 include:_spf.mail.example mx -all', {
		'_spf.mail.example': { TXT: ['v=spf1 -all'] },
		'mx.example': { A: ['192.0.2.1'] },
	});
	const { problems } = await check(
		createZoneResolver(there),
		needs({ type: 'TXT', name: APEX, value: 'v=spf1 include:service.example ~all' }),
	);

	expect(problems[0]?.record).toEqual({
		type: 'TXT',
		name: 'example.com',
		expected: 'v=spf1 include:service.example include:_spf.mail.example mx -all',
		found: 'v=spf1 include:_spf.mail.example mx -all',
	});
});

test('an SPF record that grows without end is left after so many questions', async () => {
	const asked: string[] = [];
	const growing: DnsResolver = {
		ask: async (name, type) => {
			asked.push(name);
			const below = name.slice(-200);
			const text = `v=spf1 include:a.${below} include:b.${below} -all`;
			const answer = await createZoneResolver({ [name]: { TXT: [text] } }).ask(name, type);
			return answer;
		},
	};
	const found = await check(growing, NO_MAIL);

	expect(codesOf(found)).toContain('spfTooManyLookups example.com');
	expect(asked.length).toBeLessThan(50);
});

test('two servers that take turns in their answers give the same finding', async () => {
	const found = async (...servers: string[]) =>
		await check(
			createZoneResolver(
				zones({ [APEX]: { TXT: ['v=spf1 -all'], MX: servers.map((name) => mx(name)) } }),
			),
			needsMx,
		);

	expect(await found('a.example', 'b.example')).toEqual(await found('b.example', 'a.example'));
});
