import * as fc from 'fast-check';
import { createRecordLookup, getOrgDomain } from 'mailauth/lib/dmarc/get-dmarc-record';

import { Dmarc } from '../../../../lib/dns/dmarc';
import { loadPublicSuffixes } from '../../../../lib/dns/organizations';
import { createZoneResolver, type Zones } from './support/zoneResolver';

beforeAll(loadPublicSuffixes);

/** Zones with DMARC records at these domains. */
const at = (records: Record<string, string>): Zones =>
	Object.fromEntries(
		Object.entries(records).map(([domain, tags]) => [
			`_dmarc.${domain}`,
			{ TXT: [`v=DMARC1; ${tags}`] },
		]),
	);

const policyOf = async (domain: string, zones: Zones) =>
	await new Dmarc(domain, createZoneResolver(zones)).policy();

const DEEP = `${'d.'.repeat(9)}a.example.com`;
const NONE = { 'example.com': 'p=none' };
const EXISTS: Zones = { 'a.example.com': { A: ['192.0.2.1'] } };

test.each<[string, string | null, Zones]>([
	['its own record', 'none', at({ 'a.example.com': 'p=none', 'example.com': 'p=reject' })],
	['the record of its organization', 'reject', at({ 'example.com': 'p=reject' })],
	[
		'the record for subdomains',
		'none',
		{ ...EXISTS, ...at({ 'example.com': 'p=reject; sp=none; np=reject' }) },
	],
	['the record for names that are not there', 'reject', at({ 'example.com': 'p=none; np=reject' })],
	['test mode, one step weaker', 'quarantine', at({ 'a.example.com': 'p=reject; t=y' })],
	['test mode of the weakest', 'none', at({ 'a.example.com': 'p=none; t=y' })],
	['a record without a policy', 'none', at({ 'a.example.com': 'rua=mailto:a@example.com' })],
	['a record without any tag', 'none', { '_dmarc.a.example.com': { TXT: ['v=DMARC1'] } }],
	['the record of its public suffix', 'reject', at({ com: 'p=none; sp=reject; psd=y' })],
	['its organization, not its suffix', 'none', at({ com: 'p=reject; psd=y', ...NONE })],
	['a malformed record that wants reports', 'none', at({ 'a.example.com': 'p=x; rua=mailto:x' })],
	['a malformed record', null, at({ 'a.example.com': 'p=x' })],
	['two records', null, { '_dmarc.a.example.com': { TXT: ['v=DMARC1', 'v=DMARC1; p=none'] } }],
	['no record', null, {}],
])('the policy of a domain: %s', async (_what, policy, zones) => {
	expect(await policyOf('a.example.com', zones)).toBe(policy);
});

test('the stricter of two policies counts if the tree walk and the public suffix list differ', async () => {
	const zones = at({ 'b.example.com': 'p=none; psd=n', 'example.com': 'p=none; sp=quarantine' });
	expect(await policyOf('a.b.example.com', zones)).toBe('quarantine');
});

test.each<[string, boolean | undefined, string, Zones]>([
	['a subdomain', true, 'b.example.com', at(NONE)],
	['a subdomain without any record', false, 'b.example.com', {}],
	['an organization of its own', false, 'b.example.com', at({ ...NONE, 'b.example.com': 'psd=n' })],
	['a subdomain below a suffix in the DNS', false, 'b.example.com', at({ 'example.com': 'psd=y' })],
	['a subdomain, strict policy', false, 'b.example.com', at({ 'example.com': 'adkim=s' })],
	[
		'a subdomain, while the DNS fails for it',
		undefined,
		'b.example.com',
		{ ...at(NONE), '_dmarc.b.example.com': { failed: 'x' } },
	],
	['itself, no answer', true, 'example.com', { '_dmarc.example.com': { failed: 'x' } }],
])('%s may sign for example.com: %s', async (_what, aligned, signer, zones) => {
	const dmarc = new Dmarc('example.com', createZoneResolver(zones));
	expect(await dmarc.isAligned(signer)).toBe(aligned);
});

test('a tree walk queries at most eight names, each once', async () => {
	const resolver = createZoneResolver({});
	const deep = `${'a.'.repeat(30)}example.com`;
	const dmarc = new Dmarc(deep, resolver);
	await Promise.all([dmarc.policy(), dmarc.isAligned(`x.${deep}`), dmarc.isAligned(`y.${deep}`)]);
	expect(resolver.asked.length).toBeLessThanOrEqual(10);
	expect(new Set(resolver.asked).size).toBe(resolver.asked.length);
});

const NAMES = ['com', 'example.com', 'a.example.com', 'b.a.example.com', 'c.example.com', DEEP];
const TAGS = ['p=none', 'p=reject; psd=n', 'p=reject; psd=y', 'p=none; psd=u', 'p=quarantine'];

test('two domains are aligned as in the library', async () => {
	const names = fc.constantFrom(...NAMES.slice(1));
	const records = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...TAGS));
	await fc.assert(
		fc.asyncProperty(names, names, records, async (from, signer, tags) => {
			const resolver = createZoneResolver(at(tags));
			const lookup = createRecordLookup(async (name) => {
				const answer = await resolver.ask(name, 'TXT');
				if (answer.status === 'found') return [[...answer.records]];
				throw Object.assign(new Error('nothing'), { code: 'ENOTFOUND' });
			});
			const isTheirs = (await getOrgDomain(from, lookup)) === (await getOrgDomain(signer, lookup));
			const isOurs = await new Dmarc(from, resolver).isAligned(signer);
			expect(isOurs).toBe(isTheirs);
		}),
		{ numRuns: 500 },
	);
});
