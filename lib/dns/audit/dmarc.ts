import { Dmarc, isDmarc, readDmarc, strengthOf } from '../dmarc';
import { isSameOrganization, organizationalDomain } from '../organizations';
import type { Questions } from '../resolver/httpsResolver';
import { type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';

/** A first record without effect on delivery. */
const BEGINNING = 'v=DMARC1; p=none';

/** A domain without a policy has that of its organization. @param required the record that the service recommends */
export async function checkDmarc(
	questions: Questions,
	domain: string,
	required: RequiredRecord | undefined,
): Promise<DnsProblem[]> {
	const name = `_dmarc.${domain}`;
	const recommended = required?.type === 'TXT' ? required.expected : null;
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const [text, ...others] = texts.filter(isDmarc);
	const nearly = texts.filter((one) => /dmarc/i.test(one));
	const detail: RecordDetail = { type: 'TXT', name, expected: recommended, found: toText(nearly) };
	if (others.length > 0) return [problem('dmarcDoubled', detail)];
	if (text !== undefined) return checkRecord(text, domain, detail);
	if (nearly.length > 0) {
		return [problem('dmarcInvalid', detail, 'it does not begin with v=DMARC1')];
	}
	const records = await new Dmarc(domain, questions).applied;
	if (records === undefined) return [];
	const inherited = records.find((record) => isSameOrganization(record.name, domain));
	if (inherited === undefined) {
		return [problem('dmarcMissing', { ...detail, expected: recommended ?? BEGINNING })];
	}
	const above = { ...detail, name: inherited.name, expected: null, found: inherited.text };
	if (inherited.flaw !== null) return [problem('dmarcInvalid', above, inherited.flaw)];
	return inherited.policies.sp === 'none' ? [problem('dmarcPolicyNone', above)] : [];
}

function checkRecord(text: string, domain: string, detail: RecordDetail): DnsProblem[] {
	const { flaw, policies, isTesting, tags } = readDmarc(text, detail.name);
	const { p, np } = policies;
	if (flaw !== null) return [problem('dmarcInvalid', detail, flaw)];
	const least = readDmarc(detail.expected ?? BEGINNING, detail.name).policies.p;
	if (strengthOf(p) < strengthOf(least)) return [problem('dnsRecordDifferent', detail)];
	// Nobody sends from a name that does not exist. Receivers look for np= in the record of the organization.
	const isOpen = p !== 'none' && np !== 'reject' && organizationalDomain(domain) === domain;
	const obsolete = obsoleteParts(tags);
	return [
		...(p === 'none' ? [problem('dmarcPolicyNone', detail)] : []),
		...(isTesting ? [problem('dmarcTesting', detail)] : []),
		...(obsolete.length > 0 ? [problem('dmarcPercentage', detail, obsolete.join(', '))] : []),
		...(isOpen && !tags.has('np') ? [problem('dmarcNpMissing', detail)] : []),
	];
}

/** Tags, and a size limit of a report address, that RFC 7489 had and RFC 9989 does not. */
function obsoleteParts(tags: ReadonlyMap<string, string>): string[] {
	const sizes = ['rua', 'ruf'].map((tag) => SIZE_LIMIT.exec(tags.get(tag) ?? '')?.[0]);
	const found = ['pct', 'rf', 'ri'].filter((tag) => tags.has(tag)).map((tag) => `${tag}=`);
	return [...found, ...new Set(sizes)].filter((part) => part !== undefined);
}

/** `!10m` after a report address (RFC 7489, 6.2). */
const SIZE_LIMIT = /!\d+[kmgt]?(?=\s*(?:,|$))/i;
