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

type Case = [what: string, found: string[], there: Zones, identity?: Partial<Identity>];

const APEX = 'example.com';

const CASES: Case[] = [
	['nothing to complain about', [], zones({})],
	['a domain that is gone', ['domainGone'], {}],
	[
		'a domain that is gone, from under a suffix of several parts',
		['domainGone'],
		{ 'co.uk': { NS: ['ns.example'] } },
		{ value: 'example.co.uk' },
	],
	[
		'a subdomain of which nothing has been entered yet',
		['spfMissing news.example.com', 'dnsRecordMissing s._domainkey.news.example.com'],
		zones({}),
		{
			...{ value: 'news.example.com', ...NO_MAIL },
			...needs({ type: 'TXT', name: 's._domainkey', value: KEY }),
		},
	],
	['a subdomain of a domain that is gone', ['domainGone'], {}, { value: 'news.example.com' }],
	[
		'a subdomain of a domain that cannot be asked for',
		['dnsUnknown'],
		{ [APEX]: { serverFailure: 'SERVFAIL' } },
		{ value: 'news.example.com' },
	],
	['no MX record', ['mxMissing example.com'], zones({ [APEX]: { TXT: ['v=spf1 -all'] } })],
	[
		'no MX record where it only sends',
		[],
		zones({ [APEX]: { TXT: ['v=spf1 -all'] } }),
		{ ...NO_MAIL, ...needsMx },
	],
	[
		'no MX record where nobody says whether it receives',
		[],
		zones({ [APEX]: { TXT: ['v=spf1 -all'] } }),
		{ incomingDomain: null },
	],
	[
		'an MX record that says there is no mail',
		['mxMissing example.com'],
		zones({ [APEX]: { TXT: ['v=spf1 -all'], MX: [mx('', 0)] } }),
	],
	[
		'an MX record elsewhere',
		['mxElsewhere example.com'],
		zones({ [APEX]: { TXT: ['v=spf1 -all'], MX: [mx('mx.elsewhere.example')] } }),
		needsMx,
	],
	[
		'an MX record elsewhere that is asked as often',
		['mxElsewhere example.com'],
		zones({
			[APEX]: { TXT: ['v=spf1 -all'], MX: [mx('mx.service.example'), mx('mx.elsewhere.example')] },
		}),
		needsMx,
	],
	[
		'an MX record elsewhere that is asked when the service does not answer',
		['mxBackup example.com'],
		zones({
			[APEX]: {
				TXT: ['v=spf1 -all'],
				MX: [mx('mx.service.example'), mx('mx.elsewhere.example', 20)],
			},
		}),
		needsMx,
	],
	[
		'one of two MX records',
		['dnsRecordMissing example.com'],
		zones({}),
		needs(
			...['mx', 'mx2'].map((host) => ({ type: 'MX', name: '@', value: `${host}.service.example` })),
		),
	],
	[
		'no SPF record',
		['spfMissing example.com'],
		zones({ [APEX]: { TXT: ['hello'], MX: [mx('mx.service.example')] } }),
	],
	['an SPF record in quotes', ['spfInvalid example.com'], spf('"v=spf1 -all"')],
	[
		'two SPF records',
		['spfDoubled example.com'],
		zones({
			[APEX]: { TXT: ['v=spf1 a -all', 'v=spf1 mx -all'], MX: [mx('mx.service.example')] },
		}),
	],
	['an unknown mechanism', ['spfInvalid example.com'], spf('v=spf1 ipv4:192.0.2.1 -all')],
	['an address that is none', ['spfInvalid example.com'], spf('v=spf1 ip4:192.0.2.256 -all')],
	['a network that is none', ['spfInvalid example.com'], spf('v=spf1 ip4:192.0.2.0/33 -all')],
	['an IPv6 network', [], spf('v=spf1 ip6:2001:db8::/32 -all')],
	[
		'an IPv6 address that is none',
		['spfInvalid example.com'],
		spf('v=spf1 ip6:2001:db8:: ip6:1.2.3.4 -all'),
	],
	['macros', [], spf('v=spf1 exists:%{ir}.%{v}._spf.%{d2} include:%{d}._spf.example.net -all')],
	['an include without a domain', ['spfInvalid example.com'], spf('v=spf1 include: -all')],
	['an unknown modifier', [], spf('v=spf1 since=2026 -all')],
	[
		'redirect twice',
		['spfInvalid example.com'],
		spf('v=spf1 redirect=a.example redirect=b.example'),
	],
	[
		'an include without an SPF record',
		['spfInvalid example.com'],
		spf('v=spf1 include:gone.example -all'),
	],
	[
		'a mistake in an include',
		['spfInvalid example.com'],
		spf('v=spf1 include:inc.example -all', { 'inc.example': { TXT: ['v=spf1 foo -all'] } }),
	],
	[
		'two records in an include',
		['spfInvalid example.com'],
		spf('v=spf1 include:inc.example -all', {
			'inc.example': { TXT: ['v=spf1 a', 'v=spf1'] },
		}),
	],
	['an include of itself', ['spfLoop example.com'], spf('v=spf1 include:example.com -all')],
	[
		'a circle',
		['spfLoop example.com'],
		spf('v=spf1 include:b.example -all', {
			'b.example': { TXT: ['v=spf1 redirect=c.example'] },
			'c.example': { TXT: ['v=spf1 include:EXAMPLE.com ~all'] },
		}),
	],
	['ten look-ups', [], spf(`v=spf1 ${ELEVEN.slice(1).join(' ')} -all`, hosts)],
	[
		'eleven look-ups',
		['spfTooManyLookups example.com'],
		spf(`v=spf1 ${ELEVEN.join(' ')} -all`, hosts),
	],
	[
		'eleven look-ups, of all kinds, over includes',
		['spfTooManyLookups example.com'],
		spf('v=spf1 include:b.example a mx ptr exists:h1.example.net -all', {
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
	],
	['what stands behind all', [], spf(`v=spf1 -all ${ELEVEN.join(' ')}`)],
	[
		'three names that are not there',
		['spfVoidLookups example.com'],
		spf('v=spf1 a:x.example mx:y.example exists:z.example -all'),
	],
	['two names that are not there', [], spf('v=spf1 a:x.example mx:y.example -all')],
	['no end', ['spfWithoutEnd example.com'], spf('v=spf1 ip4:192.0.2.1')],
	['everybody', ['spfAllowsEverybody example.com'], spf('v=spf1 +all')],
	[
		'another end than the service recommends',
		[],
		spf('v=spf1 include:inc.example ?all', { 'inc.example': { TXT: ['v=spf1 -all'] } }),
		needs({ type: 'TXT', name: APEX, value: 'v=spf1 include:INC.example ~all' }),
	],
	[
		"an SPF record without the service's servers",
		['dnsRecordDifferent example.com'],
		spf('v=spf1 ip4:192.0.2.1 -include:inc.example -all', {
			'inc.example': { TXT: ['v=spf1 -all'] },
		}),
		needs({ type: 'TXT', name: APEX, value: 'v=spf1 include:inc.example ~all' }),
	],
	['a DKIM key of Ed25519', [], dkim(ED25519_KEY), needsKey(ED25519_KEY)],
	['a DKIM key in other words', [], dkim(`p=${KEY.split('p=')[1]};`), needsKey(KEY)],
	['no DKIM key', ['dnsRecordMissing s._domainkey.example.com'], zones({}), needsKey(KEY)],
	[
		'another DKIM key',
		['dnsRecordDifferent s._domainkey.example.com'],
		dkim(rsaKey(1024)),
		needsKey(KEY),
	],
	[
		'a revoked DKIM key',
		['dkimKeyRevoked s._domainkey.example.com'],
		dkim('v=DKIM1; p='),
		needsKey(KEY),
	],
	[
		'a DKIM key with a damaged end',
		['dkimKeyMalformed s._domainkey.example.com'],
		dkim(KEY.slice(0, -20)),
		needsKey(KEY),
	],
	[
		'two DKIM keys',
		['dkimKeyMalformed s._domainkey.example.com'],
		dkim(KEY, rsaKey(1024)),
		needsKey(KEY),
	],
	[
		'a DKIM key for other things',
		['dkimKeyMalformed s._domainkey.example.com'],
		dkim(KEY.replace('k=rsa', 's=chat')),
		needsKey(KEY),
	],
	[
		'a DKIM key of an unknown version',
		['dkimKeyMalformed s._domainkey.example.com'],
		dkim(KEY.replace('DKIM1', 'DKIM2')),
		needsKey(KEY),
	],
	[
		'a DKIM key that is too short',
		['dkimKeyTooShort s._domainkey.example.com'],
		dkim(SHORT_KEY),
		needsKey(SHORT_KEY),
	],
	[
		'a DKIM key in testing',
		['dkimKeyTesting s._domainkey.example.com'],
		dkim(`${KEY}; t=s:y`),
		needsKey(KEY),
	],
	[
		'an alias to a DKIM key that is not there',
		['dkimKeyMissing s._domainkey.example.com'],
		zones({ 's._domainkey.example.com': { CNAME: ['s.service.example'] } }),
		needs({ type: 'CNAME', name: 's._domainkey', value: 's.service.example' }),
	],
	[
		"a provider's key in the place of the alias to it",
		[],
		{ ...dkim(KEY), 's.service.example': { TXT: [KEY] } },
		needs({ type: 'cname', name: 's._domainkey', value: 's.service.example' }),
	],
	[
		'an alias to somewhere else',
		['dnsRecordDifferent s._domainkey.example.com'],
		zones({ 's._domainkey.example.com': { CNAME: ['s.elsewhere.example'] } }),
		needs({ type: 'CNAME', name: 's._domainkey', value: 's.service.example' }),
	],
	['no DMARC record', ['dmarcMissing _dmarc.example.com'], dmarc('hello')],
	['two DMARC records', ['dmarcDoubled _dmarc.example.com'], dmarc(DMARC, DMARC)],
	['p=none', ['dmarcPolicyNone _dmarc.example.com'], dmarc('v=DMARC1; p=none')],
	[
		'a DMARC record in small letters',
		['dmarcInvalid _dmarc.example.com'],
		dmarc('v=dmarc1; p=reject'),
	],
	[
		'a DMARC record without a policy',
		['dmarcInvalid _dmarc.example.com'],
		dmarc('v=DMARC1; rua=mailto:a@example.com'),
	],
	['an unknown policy', ['dmarcInvalid _dmarc.example.com'], dmarc('v=DMARC1; p=block')],
	[
		'a DMARC record without semicolons',
		['dmarcInvalid _dmarc.example.com'],
		dmarc('v=DMARC1; p=none rua=mailto:a@example.com'),
	],
	[
		'a weaker policy than the service wants',
		['dnsRecordDifferent _dmarc.example.com'],
		dmarc('v=DMARC1; p=quarantine'),
		needs({ type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=reject' }),
	],
	[
		'a domain below one whose policy for subdomains is none',
		['dmarcPolicyNone _dmarc.example.com'],
		{
			'news.example.com': { TXT: ['v=spf1 -all'] },
			'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; sp=none'] },
		},
		{ value: 'news.example.com', ...NO_MAIL },
	],
	[
		'a text that proves the owner, in quotes',
		['dnsRecordDifferent example.com'],
		zones({
			[APEX]: { TXT: ['v=spf1 -all', '"service=abc"'], MX: [mx('mx.service.example')] },
		}),
		needs({ type: 'TXT', name: APEX, value: 'service=abc' }),
	],
	[
		'no text that proves the owner',
		['dnsRecordMissing example.com'],
		zones({}),
		needs({ type: 'TXT', name: APEX, value: '"service=" "abc"' }),
	],
	[
		'a record that a form put below the domain once more',
		['dnsRecordMissing em.example.com'],
		zones({ 'em.example.com.example.com': { CNAME: ['u1.service.example'] } }),
		needs({ type: 'CNAME', name: 'em.example.com', value: 'u1.service.example' }),
	],
	[
		'another mail server for what comes back',
		['dnsRecordDifferent back.example.com'],
		zones({ 'back.example.com': { MX: [mx('mx.elsewhere.example')] } }),
		needs({ type: 'MX', name: 'back', value: 'feedback.service.example', priority: 10 }),
	],
	[
		'a name in Unicode',
		[],
		{
			'xn--bcher-kva.example': { TXT: ['v=spf1 -all'], MX: [mx('mx.service.example')] },
			'_dmarc.xn--bcher-kva.example': { TXT: [DMARC] },
			'em.xn--bcher-kva.example': { CNAME: ['u1.service.example'] },
		},
		{
			value: 'Bücher.example.',
			...needs({ type: 'CNAME', name: 'em.bücher.example', value: 'u1.service.example' }),
		},
	],
	[
		'records that cannot be compared',
		[],
		zones({}),
		needs(
			'text',
			null,
			{ type: 'SRV', name: 'x', value: 'y' },
			{ type: 'TXT' },
			{ type: 'MX', value: 'a b c' },
		),
	],
];

test.each(CASES)('%s: %j', async (_what, found, there, identity = {}) => {
	expect(codesOf(await check(createZoneResolver(there), identity))).toEqual(found);
});

test.each([
	['a:203.0.113.5'],
	['mx:203.0.113.5'],
	['ip4=203.0.113.5'],
	['a:example.com:8080'],
	['a:example..com'],
	['constructor'],
	['a:example.com/33'],
	['ip6:1:2:3:4:5:6:7:8:9'],
	['ip6:::1::2'],
])('SPF: receivers do not take %s', async (term) => {
	const found = await check(createZoneResolver(spf(`v=spf1 ${term} -all`)), {});
	expect(codesOf(found)).toEqual(['spfInvalid example.com']);
});

test.each([
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
