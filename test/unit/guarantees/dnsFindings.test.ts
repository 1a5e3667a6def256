import type { Identity } from '../../../nodes/EmailIdentity/api/data/resources';
import type { DnsResolver } from '../../../lib/dns/resolver/httpsResolver';
import { createZoneResolver, type Zones } from '../lib/dns/support/zoneResolver';
import { check, codesOf } from '../lib/dns/audit/support/check';
import { DMARC, rsaKey } from '../lib/dns/audit/support/rightDomains';

const KEY = rsaKey();
const SHORT_KEY = rsaKey(768);
const ED25519_KEY = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

const NO_MAIL = { incomingDomain: false };
const APEX = 'example.com';
const KEY_NAME = 's._domainkey.example.com';
const mx = (exchange: string, preference = 10) => `${preference} ${exchange}`;
const MX = [mx('mx.service.example')];
const SPF = 'v=spf1 -all';

/** A domain in which all is right, with some of its names changed. */
const zones = (changed: Zones): Zones => ({
	[APEX]: { TXT: [SPF], MX },
	'_dmarc.example.com': { TXT: [DMARC] },
	...changed,
});

const spf = (...TXT: string[]): Zones => zones({ [APEX]: { TXT, MX } });

const servers = (...exchanges: string[]): Zones => zones({ [APEX]: { TXT: [SPF], MX: exchanges } });

const needs = (...dnsRecords: unknown[]): Partial<Identity> => ({ dnsRecords });

const needsMx = needs({ type: 'MX', name: APEX, value: '10 mx.service.example' });

/** Expects these findings, each as its code and the name below example.com that it is about. */
async function expectFound(found: string[], there: Zones, identity: Partial<Identity> = {}) {
	expect(codesOf(await check(createZoneResolver(there), identity))).toEqual(found);
}

const listed = (code: string | null) => (code === null ? [] : [code]);

const cname = (name: string, value: string) => needs({ type: 'CNAME', name, value });
const txt = (name: string, value: string) => needs({ type: 'TXT', name, value });
const NEWS = { value: 'news.example.com', ...NO_MAIL };
const ELSEWHERE = 'mx.other.example';
const DKIM_CNAME = { type: 'CNAME', name: 's._domainkey', value: 's.test' };
const DKIM_ALIAS = needs(DKIM_CNAME);
const aliased = (target: string) => zones({ [KEY_NAME]: { CNAME: [target] } });
const FLATTENED = zones({ [KEY_NAME]: { TXT: [KEY] }, 's.test': { TXT: [KEY] } });
const NOTHING_ENTERED = ['spfMissing news', 'dnsRecordMissing s._domainkey.news'];
const KEY_OF_NEWS = txt('s._domainkey', KEY);
const mxOf = (host: string, name = '@') => ({ type: 'MX', name, value: `${host}.service.example` });
const BOUNCES = zones({ 'back.example.com': { MX: [mx(ELSEWHERE)] } });
const REJECT = 'v=DMARC1; p=reject';
const WEAKER = zones({ '_dmarc.example.com': { TXT: ['v=DMARC1; p=quarantine'] } });
const UNICODE: Zones = {
	'xn--bcher-kva.example': { TXT: [SPF], MX },
	'_dmarc.xn--bcher-kva.example': { TXT: [DMARC] },
	'em.xn--bcher-kva.example': { CNAME: ['u.test'] },
};
const STRANGE = [
	...['text', null, { type: 'SRV', name: 'x', value: 'y' }, { type: 'TXT' }],
	{ type: 'MX', value: 'a b c' },
];

test.each<[what: string, found: string[], there: Zones, identity?: Partial<Identity>]>([
	['nothing to complain about', [], zones({})],
	['a domain that is gone', ['domainGone'], {}],
	[
		'a subdomain before anything is entered',
		NOTHING_ENTERED,
		zones({}),
		{ ...NEWS, ...KEY_OF_NEWS },
	],
	['a subdomain of a domain that is gone', ['domainGone'], {}, NEWS],
	['a subdomain of one without an answer', ['dnsUnknown'], { [APEX]: { failed: 'x' } }, NEWS],
	['no MX record', ['mxMissing'], servers()],
	['no MX record where it only sends', [], servers(), { ...NO_MAIL, ...needsMx }],
	['no MX record where nobody says whether it receives', [], servers(), { incomingDomain: null }],
	['an MX record for no mail', ['mxMissing'], servers('0 .')],
	['an MX record elsewhere', ['mxElsewhere'], servers(mx(ELSEWHERE)), needsMx],
	['another MX record of equal rank', ['mxElsewhere'], servers(...MX, mx(ELSEWHERE)), needsMx],
	['another MX record of lower rank', ['mxBackup'], servers(...MX, mx(ELSEWHERE, 20)), needsMx],
	['one of two MX records', ['dnsRecordMissing'], zones({}), needs(mxOf('mx'), mxOf('mx2'))],
	['an alias to a missing key', ['dkimKeyMissing s._domainkey'], aliased('s.test'), DKIM_ALIAS],
	['a key in the place of its alias', [], FLATTENED, needs({ ...DKIM_CNAME, type: 'cname' })],
	['an alias elsewhere', ['dnsRecordDifferent s._domainkey'], aliased('x.test'), DKIM_ALIAS],
	['a policy that is too weak', ['dnsRecordDifferent _dmarc'], WEAKER, txt('_dmarc', REJECT)],
	['a quoted text', ['dnsRecordDifferent'], spf(SPF, '"service=abc"'), txt(APEX, 'service=abc')],
	['no text that proves the owner', ['dnsRecordMissing'], zones({}), txt(APEX, '"service=" "abc"')],
	['a text of a zone file', [], spf(SPF, 'a=b; "x"'), txt(APEX, '"a=b\\; " "\\"x\\""')],
	['another server for bounces', ['dnsRecordDifferent back'], BOUNCES, needs(mxOf('f', 'back'))],
	[
		'a name in Unicode',
		[],
		UNICODE,
		{ value: 'Bücher.example.', ...cname('em.bücher.example', 'u.test') },
	],
	['records that cannot be compared', [], zones({}), needs(...STRANGE)],
])('%s: %j', async (_what, found, there, identity = {}) => {
	await expectFound(found, there, identity);
});

describe('SPF', () => {
	const ELEVEN = Array.from({ length: 11 }, (_, index) => `a:h${index}.test`);

	/** What the records name. */
	const NAMES: Zones = {
		...Object.fromEntries(ELEVEN.map((term) => [term.slice(2), { A: ['192.0.2.1'] }])),
		'good.test': { TXT: [SPF] },
		'two.test': { TXT: ['v=spf1 a', 'v=spf1'] },
		'b.test': { TXT: ['v=spf1 redirect=c.test'] },
		'c.test': { TXT: ['v=spf1 include:EXAMPLE.com ~all'] },
		'four.test': { TXT: ['v=spf1 a:h2.test mx:example.com a:h3.test include:five.test ~all'] },
		'five.test': { TXT: ['v=spf1 a:h4.test redirect=six.test'] },
		'six.test': { TXT: ['v=spf1 ip4:192.0.2.9 -all'] },
	};

	test.each([
		['hello', 'spfMissing'],
		['"v=spf1 -all"', 'spfInvalid'],
		['v=spf1 ipv4:192.0.2.1 -all', 'spfInvalid'],
		['v=spf1 include:gone.example -all', 'spfInvalid'],
		['v=spf1 include:two.test -all', 'spfInvalid'],
		['v=spf1 since=2026 -all', null],
		['v=spf1 exists:%{ir}.%{v}._spf.%{d2} include:%{d}._spf.example.net -all', null],
		['v=spf1 include:example.com -all', 'spfLoop'],
		['v=spf1 include:b.test -all', 'spfLoop'],
		[`v=spf1 ${ELEVEN.slice(1).join(' ')} -all`, null],
		[`v=spf1 ${ELEVEN.join(' ')} -all`, 'spfTooManyLookups'],
		['v=spf1 include:four.test a:h0.test mx ptr exists:h1.test -all', 'spfTooManyLookups'],
		[`v=spf1 -all ${ELEVEN.join(' ')}`, null],
		['v=spf1 a:x.example mx:y.example exists:z.example -all', 'spfVoidLookups'],
		['v=spf1 a:x.example mx:y.example -all', null],
		['v=spf1 ip4:192.0.2.1', 'spfWithoutEnd'],
		['v=spf1 +all', 'spfAllowsEverybody'],
	])('%s: %s', async (record, code) => {
		await expectFound(listed(code), { ...spf(record), ...NAMES });
	});

	test('two SPF records have one finding', async () => {
		await expectFound(['spfDoubled'], spf('v=spf1 a -all', 'v=spf1 mx -all'));
	});

	test.each(
		'a:203.0.113.5 mx:203.0.113.5 ip4=203.0.113.5 ip4:192.0.2.256 include: ip4:192.0.2.0/33 ip4:192.0.2.0/ ip4:192.0.2.0//24 a:example.com/33 ip6:1.2.3.4 a:example.com:8080 a:example..com a:localhost redirect=localhost constructor ip6:1:2:3:4:5:6:7:8:9 ip6:::1::2 -all:example.com include:good.test/24'.split(
			' ',
		),
	)('SPF with %s is invalid', async (term) => {
		await expectFound(['spfInvalid'], { ...spf(`v=spf1 ${term} -all`), ...NAMES });
	});

	test.each(
		'ip6:2001:db8::/32 ip6:::ffff:192.0.2.1 ip6:2001:db8::1/64 a/24//64 a:example.com/24 exp=explain._spf.%{d} exists:%{l1r-}.%%.%{i} A:Example.COM.'.split(
			' ',
		),
	)('SPF with %s is valid', async (term) => {
		await expectFound([], spf(`v=spf1 ${term} -all`));
	});

	test.each([
		['v=spf1 include:good.test ?all', null],
		['v=spf1 ip4:192.0.2.1 -include:good.test -all', 'dnsRecordDifferent'],
		['v=spf1 include:unknown.test -all', null],
	])('if the service needs include:good.test, %s has the finding %s', async (record, code) => {
		const there = { ...spf(record), ...NAMES, 'unknown.test': { failed: 'timed out' } };
		const wanted = txt(APEX, 'v=spf1 include:GOOD.test ~all');
		const found = codesOf(await check(createZoneResolver(there), wanted));
		expect(found.filter((one) => one !== 'dnsUnknown')).toEqual(listed(code));
	});
});

test.each([
	['its key in Ed25519', ED25519_KEY, null, ED25519_KEY],
	['its key in other words', `p=${KEY.split('p=')[1]};`, null],
	['no key', [], 'dnsRecordMissing'],
	['another key', rsaKey(1024), 'dnsRecordDifferent'],
	['a revoked key', 'v=DKIM1; p=', 'dkimKeyRevoked'],
	['a key with a damaged end', KEY.slice(0, -20), 'dkimKeyMalformed'],
	['a key of the wrong kind', KEY.replace('rsa', 'ed25519'), 'dkimKeyMalformed'],
	['a key for other things', KEY.replace('k=rsa', 's=chat'), 'dkimKeyMalformed'],
	['a key for email, too', KEY.replace('k=rsa', 's=chat : email'), null],
	['a key of an unknown version', KEY.replace('DKIM1', 'DKIM2'), 'dkimKeyMalformed'],
	['a key that is too short', SHORT_KEY, 'dkimKeyTooShort', SHORT_KEY],
	['a key in testing', `${KEY}; t=s:y`, 'dkimKeyTesting'],
	['two keys', [KEY, SHORT_KEY], 'dkimKeyMalformed'],
])('DKIM: %s', async (_what, text, code, wanted = KEY) => {
	const there = zones({ [KEY_NAME]: { TXT: [text].flat() } });
	const found = listed(code).map((one) => `${one} s._domainkey`);
	await expectFound(found, there, txt(KEY_NAME, wanted));
});

test.each<[string[], ...string[]]>([
	[['hello'], 'dmarcMissing'],
	[[DMARC, DMARC], 'dmarcDoubled'],
	[['v=DMARC1; p=none'], 'dmarcPolicyNone'],
	[['v=DMARC1; rua=mailto:a@example.com'], 'dmarcPolicyNone'],
	[['v=DMARC1; p=reject; sp=reject']],
	[['v=DMARC1; p=REJECT; sp=quarantine'], 'dmarcNpMissing'],
	[['v=DMARC1; p=quarantine'], 'dmarcNpMissing'],
	[['v=DMARC1; p=quarantine; np=none']],
	[['v=DMARC1; p=reject; t=Y'], 'dmarcTesting'],
	[['v=DMARC1; p=none; pct=50'], 'dmarcPolicyNone', 'dmarcPercentage'],
	[['v=DMARC1; p=reject; t=n']],
	[['v=dmarc1; p=reject'], 'dmarcInvalid'],
	[['v=DMARC1; p=block'], 'dmarcInvalid'],
	[['v=DMARC1; p=reject; np=block'], 'dmarcInvalid'],
	[['v=DMARC1; p=none rua=mailto:a@example.com'], 'dmarcInvalid'],
	[['v=DMARC1; p=reject; p=none'], 'dmarcInvalid'],
])('DMARC: %j: %s %s', async (TXT, ...codes) => {
	const found = codes.map((code) => `${code} _dmarc`);
	await expectFound(found, zones({ '_dmarc.example.com': { TXT } }));
});

test.each([
	['ri=1; rf=x', 'rf=, ri='],
	['pct=50; rua=mailto:a@example.com!10m', 'pct=, !10m'],
	['rua=mailto:a@example.com,mailto:b@example.com !5 ; ruf=mailto:a@example.com!5', '!5'],
	['rua=mailto:a!b@example.com,https://example.com/!1', '!1'],
])('DMARC with %s names what is obsolete: %s', async (more, reason) => {
	const TXT = [`v=DMARC1; p=reject; ${more}`];
	const resolver = createZoneResolver(zones({ '_dmarc.example.com': { TXT } }));
	const { problems } = await check(resolver, {});
	expect(problems).toMatchObject([{ code: 'dmarcPercentage', reason }]);
});

test.each<[string, string, Record<string, string>]>([
	['its organization', '_dmarc', { 'example.com': 'p=reject; sp=none' }],
	[
		'an organization in between',
		'_dmarc.b',
		{ 'b.example.com': 'p=none; psd=n', 'example.com': 'p=reject' },
	],
	[
		'its organization, not of a public suffix',
		'_dmarc',
		{ 'example.com': 'p=none', com: 'p=reject' },
	],
])('DMARC: a subdomain has the policy for subdomains of %s', async (_what, place, policies) => {
	const there: Zones = { 'a.b.example.com': { TXT: [SPF] } };
	for (const [domain, tags] of Object.entries(policies))
		there[`_dmarc.${domain}`] = { TXT: [`v=DMARC1; ${tags}`] };
	const identity = { value: 'a.b.example.com', ...NO_MAIL };
	await expectFound([`dmarcPolicyNone ${place}`], there, identity);
});

test('a record counts as missing if its name contains the domain twice, and the finding shows that name', async () => {
	const there = zones({ 'em.example.com.example.com': { CNAME: ['u1.service.example'] } });
	const wanted = cname('em.example.com', 'u1.service.example');
	const { problems } = await check(createZoneResolver(there), wanted);
	const reason: unknown = expect.stringContaining('found at em.example.com.example.com');
	expect(problems).toMatchObject([{ code: 'dnsRecordMissing', reason }]);
});

test('the expected SPF record keeps other senders', async () => {
	const there = {
		...spf('v=spf1 include:_spf.mail.example mx -all'),
		'_spf.mail.example': { TXT: [SPF] },
	};
	const wanted = txt(APEX, 'v=spf1 include:service.example ~all');
	const { problems } = await check(createZoneResolver(there), wanted);
	expect(problems[0]?.record).toMatchObject({
		expected: 'v=spf1 include:service.example include:_spf.mail.example mx -all',
		found: 'v=spf1 include:_spf.mail.example mx -all',
	});
});

test('an endless SPF record causes a bounded number of queries', async () => {
	const asked: string[] = [];
	const growing: DnsResolver = {
		ask: async (name, type) => {
			asked.push(name);
			const below = name.slice(-200);
			const text = `v=spf1 include:a.${below} include:b.${below} -all`;
			return await createZoneResolver({ [name]: { TXT: [text] } }).ask(name, type);
		},
	};
	expect(codesOf(await check(growing, NO_MAIL))).toContain('spfTooManyLookups');
	expect(asked.length).toBeLessThan(50);
});

test('records in another order give the same finding', async () => {
	const found = async (...names: string[]) =>
		await check(createZoneResolver(servers(...names.map((name) => mx(name)))), needsMx);

	expect(await found('a.example', 'b.example')).toEqual(await found('b.example', 'a.example'));
});
