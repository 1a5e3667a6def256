import * as fc from 'fast-check';
import verifyDmarc from 'mailauth/lib/dmarc/verify';

import { Dmarc } from '../../../../lib/dns/dmarc';
import { loadPublicSuffixes } from '../../../../lib/dns/publicSuffixes';
import type { DnsResolver } from '../../../../lib/dns/resolver/httpsResolver';
import type { DnsRecordType } from '../../../../lib/dns/resolver/packet';
import { createZoneResolver, type Zones } from './support/zoneResolver';

/** The domain of From. */
const dmarcOf = async (domain: string, resolver: DnsResolver) =>
	new Dmarc(domain, resolver, await loadPublicSuffixes());

/** Zones with DMARC records at these domains. */
const at = (records: Record<string, string>): Zones =>
	Object.fromEntries(
		Object.entries(records).map(([domain, tags]) => [
			`_dmarc.${domain}`,
			{ TXT: [`v=DMARC1; ${tags}`] },
		]),
	);

const policyOf = async (domain: string, zones: Zones) =>
	await (await dmarcOf(domain, createZoneResolver(zones))).policy();

const DEEP = `${'d.'.repeat(9)}a.example.com`;
const NONE = { 'example.com': 'p=none' };

test.each<[string, string | null, Zones]>([
	['the record of its public suffix', 'reject', at({ com: 'p=none; sp=reject; psd=y' })],
	['its organization, not its suffix', 'none', at({ com: 'p=reject; psd=y', ...NONE })],
	['a record without any tag', 'none', { '_dmarc.a.example.com': { TXT: ['v=DMARC1'] } }],
	['a malformed record', null, at({ 'a.example.com': 'p=x' })],
	['two records', null, { '_dmarc.a.example.com': { TXT: ['v=DMARC1', 'v=DMARC1; p=none'] } }],
])('the policy of a domain: %s', async (_what, policy, zones) => {
	expect(await policyOf('a.example.com', zones)).toBe(policy);
});

test('the stricter of two policies counts if the tree walk and the public suffix list differ', async () => {
	const zones = at({ 'b.example.com': 'p=none; psd=n', 'example.com': 'p=none; sp=quarantine' });
	expect(await policyOf('a.b.example.com', zones)).toBe('quarantine');
});

test.each([
	['that of the tree walk', 'adkim=s; psd=n', 'p=none', false],
	['that of the public suffix list', 'psd=n', 'p=none; adkim=s', false],
	['neither', 'psd=n', 'p=none', true],
])(
	'of the two records that a domain can have, %s is strict, which decides whether others may sign',
	async (_which, tree, list, isAligned) => {
		const zones = at({ 'b.example.com': `p=none; ${tree}`, 'example.com': list });
		const dmarc = await dmarcOf('a.b.example.com', createZoneResolver(zones));
		expect(await dmarc.alignmentOf('c.b.example.com')).toBe(isAligned ? 'aligned' : 'notAligned');
	},
);

test('it is not known whether a subdomain may sign if the DNS fails for it', async () => {
	const zones: Zones = { ...at(NONE), '_dmarc.b.example.com': { failed: 'x' } };
	const dmarc = await dmarcOf('example.com', createZoneResolver(zones));
	expect(await dmarc.alignmentOf('b.example.com')).toBe('unknown');
});

test('a tree walk queries at most eight names, each once', async () => {
	const resolver = createZoneResolver({});
	const deep = `${'a.'.repeat(30)}example.com`;
	const dmarc = await dmarcOf(deep, resolver);
	await Promise.all([
		dmarc.policy(),
		dmarc.alignmentOf(`x.${deep}`),
		dmarc.alignmentOf(`y.${deep}`),
	]);
	expect(resolver.asked.length).toBeLessThanOrEqual(10);
	expect(new Set(resolver.asked).size).toBe(resolver.asked.length);
});

const NAMES = ['com', 'example.com', 'a.example.com', 'b.a.example.com', 'c.example.com', DEEP];
const TAGS = [
	...['p=none', 'p=quarantine', 'p=reject; t=y', 'p=none; t=y', 'p=none; psd=u', 'rua=mailto:x'],
	...[
		'p=reject; psd=n',
		'p=reject; psd=y',
		'p=none; sp=reject',
		'p=reject; sp=none; np=quarantine',
	],
	...['p=none; np=reject', 'p=x; rua=mailto:x', 'p=Reject ; sp = None'],
];

const domains = fc.constantFrom(...NAMES.slice(1));
const zonesWith = (tags: string[]) =>
	fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...tags)).map(at);

/** What the library says of a domain of From and a signer. */
async function theirs(from: string, signer: string, zones: Zones) {
	const resolver = createZoneResolver(zones);
	const resolve = async (name: string, type: string) => {
		const answer = await resolver.ask(name, type as DnsRecordType);
		if (answer.status === 'found') return answer.records.map((record) => [record]);
		throw Object.assign(new Error('nothing'), {
			code: answer.status === 'noData' ? 'ENODATA' : 'ENOTFOUND',
		});
	};
	const options = { headerFrom: [from], dkimDomains: [signer], resolver: resolve };
	const { policy = null, alignment } = await verifyDmarc(options);
	return { policy, isAligned: alignment && alignment.dkim.result !== undefined };
}

test('two domains are aligned as in the library', async () => {
	await fc.assert(
		fc.asyncProperty(domains, domains, zonesWith(TAGS), async (from, signer, zones) => {
			const { isAligned } = await theirs(from, signer, zones);
			const dmarc = await dmarcOf(from, createZoneResolver(zones));
			if (isAligned !== undefined)
				expect(await dmarc.alignmentOf(signer)).toBe(isAligned ? 'aligned' : 'notAligned');
		}),
		{ numRuns: 1000 },
	);
});

test('a domain has the policy of the library, where the public suffix list agrees', async () => {
	const tags = TAGS.filter((one) => !one.includes('psd'));
	await fc.assert(
		fc.asyncProperty(domains, zonesWith(tags), async (from, zones) => {
			const belowSuffix = { ...zones };
			delete belowSuffix['_dmarc.com'];
			expect(await policyOf(from, belowSuffix)).toBe(
				(await theirs(from, from, belowSuffix)).policy,
			);
		}),
		{ numRuns: 1000 },
	);
});
