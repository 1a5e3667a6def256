import { Dmarc } from '../dmarc';
import { isDmarc, readDmarc, strengthOf } from '../dmarcRecord';
import type { PublicSuffixes } from '../publicSuffixes';
import type { RecordedQuestions } from '../resolver/recordedQuestions';
import { type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';

/** A first record without effect on delivery. */
const BEGINNING = 'v=DMARC1; p=none';

/** A domain without a policy has that of its organization. @param required the record that the service recommends */
export async function checkDmarc(
	questions: RecordedQuestions,
	domain: string,
	required: RequiredRecord | undefined,
	suffixes: PublicSuffixes,
): Promise<DnsProblem[]> {
	const name = `_dmarc.${domain}`;
	const recommended = required?.type === 'TXT' ? required.expected : null;
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const nearly = texts.filter((one) => /dmarc/i.test(one));
	const detail: RecordDetail = { type: 'TXT', name, expected: recommended, found: toText(nearly) };

	const [text, another] = texts.filter(isDmarc);
	if (another !== undefined) return [problem('dmarcDoubled', detail)];
	if (text !== undefined) {
		const isOrganization = suffixes.organizationOf(domain) === domain;
		return checkRecord(text, isOrganization, detail);
	}
	if (nearly.length > 0) {
		return [problem('dmarcInvalid', detail, 'it does not begin with v=DMARC1')];
	}
	return await checkInherited(questions, domain, detail, suffixes);
}

/** Checks a record of the domain itself. */
function checkRecord(text: string, isOrganization: boolean, detail: RecordDetail): DnsProblem[] {
	const { flaw, policies, isTesting, tags } = readDmarc(text, detail.name);
	const { p, np } = policies;
	if (flaw !== null) return [problem('dmarcInvalid', detail, flaw)];
	const least = readDmarc(detail.expected ?? BEGINNING, detail.name).policies.p;
	if (strengthOf(p) < strengthOf(least)) return [problem('dnsRecordDifferent', detail)];

	const problems: DnsProblem[] = [];
	if (p === 'none') problems.push(problem('dmarcPolicyNone', detail));
	if (isTesting) problems.push(problem('dmarcTesting', detail));
	const obsolete = obsoleteParts(tags);
	if (obsolete.length > 0) problems.push(problem('dmarcPercentage', detail, obsolete.join(', ')));
	// Nobody sends from a name that does not exist. Receivers look for np= in the record of the organization.
	const isOpen = p !== 'none' && np !== 'reject' && !tags.has('np');
	if (isOpen && isOrganization) problems.push(problem('dmarcNpMissing', detail));
	return problems;
}

/** Checks the record of the organization, which applies to a domain without one. */
async function checkInherited(
	questions: RecordedQuestions,
	domain: string,
	detail: RecordDetail,
	suffixes: PublicSuffixes,
): Promise<DnsProblem[]> {
	const records = await new Dmarc(domain, questions, suffixes).applied;
	if (records === 'unknown') return [];
	const inherited = records.find((record) => suffixes.isSameOrganization(record.name, domain));
	if (inherited === undefined) {
		const expected = detail.expected ?? BEGINNING;
		return [problem('dmarcMissing', { ...detail, expected })];
	}
	const { name, text: found, flaw, policies } = inherited;
	const above: RecordDetail = { type: 'TXT', name, expected: null, found };
	if (flaw !== null) return [problem('dmarcInvalid', above, flaw)];
	if (policies.sp === 'none') return [problem('dmarcPolicyNone', above)];
	return [];
}

/** `!10m` after a report address (RFC 7489, 6.2). */
const SIZE_LIMIT = /!\d+[kmgt]?(?=\s*(?:,|$))/i;

/** Tags, and a size limit of a report address, that RFC 7489 had and RFC 9989 does not. */
function obsoleteParts(tags: ReadonlyMap<string, string>): string[] {
	const parts = new Set<string>();
	for (const tag of ['pct', 'rf', 'ri']) {
		if (tags.has(tag)) parts.add(`${tag}=`);
	}
	for (const tag of ['rua', 'ruf']) {
		const [size] = SIZE_LIMIT.exec(tags.get(tag) ?? '') ?? [];
		if (size !== undefined) parts.add(size);
	}
	return [...parts];
}
