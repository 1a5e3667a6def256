import { isDmarc, readDmarc, strengthOf, treeOf } from '../dmarc';
import { organizationalDomain } from '../names';
import type { Questions } from '../resolver';
import {
	problem,
	toText,
	type DnsProblem,
	type RecordDetail,
	type RequiredRecord,
} from './required';

/** A first record without effect on delivery. */
const BEGINNING = 'v=DMARC1; p=none';

/**
 * Checks that receivers find a DMARC policy. A domain without one has the policy of its organization.
 *
 * @param required the record that the service recommends
 */
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
	const inherited = await findInherited(questions, domain);
	if (inherited === undefined) return [];
	if (inherited === null) {
		return [problem('dmarcMissing', { ...detail, expected: recommended ?? BEGINNING })];
	}
	const { flaw, policies } = readDmarc(inherited.found ?? '');
	if (flaw !== null) return [problem('dmarcInvalid', inherited, flaw)];
	return policies.sp === 'none' ? [problem('dmarcPolicyNone', inherited)] : [];
}

/** The record of the organization that a domain belongs to; null for none, undefined if the DNS did not answer. */
async function findInherited(
	questions: Questions,
	domain: string,
): Promise<RecordDetail | null | undefined> {
	const registered = organizationalDomain(domain) ?? domain;
	const above = treeOf(domain).filter((parent) => parent !== domain && parent.endsWith(registered));
	let inherited: RecordDetail | null = null;
	for (const parent of above) {
		const name = `_dmarc.${parent}`;
		const texts = await questions.records(name, 'TXT');
		if (texts === undefined) return undefined;
		const [text, ...others] = texts.filter(isDmarc);
		if (text === undefined || others.length > 0) continue;
		inherited = { type: 'TXT', name, expected: null, found: text };
		if (readDmarc(text).psd === 'n') break;
	}
	return inherited;
}

function checkRecord(text: string, domain: string, detail: RecordDetail): DnsProblem[] {
	const { flaw, policies, isTesting, tags } = readDmarc(text);
	const { p, np } = policies;
	if (flaw !== null) return [problem('dmarcInvalid', detail, flaw)];
	// A policy may be stronger than the recommended one.
	const least = detail.expected === null ? 'none' : readDmarc(detail.expected).policies.p;
	if (strengthOf(p) < strengthOf(least)) return [problem('dnsRecordDifferent', detail)];
	// Nobody sends from a name that does not exist. Receivers look for np= in the record of the organization.
	const isOpen = p !== 'none' && np !== 'reject' && organizationalDomain(domain) === domain;
	return [
		...(p === 'none' ? [problem('dmarcPolicyNone', detail)] : []),
		...(isTesting ? [problem('dmarcTesting', detail)] : []),
		...(tags.has('pct') ? [problem('dmarcPercentage', detail)] : []),
		...(isOpen && !tags.has('np') ? [problem('dmarcNpMissing', detail)] : []),
	];
}
