import { parentsOf } from '../names';
import { DMARC_POLICIES, isDmarc, readDmarc } from '../records';
import type { Questions } from '../resolver/questions';
import { foundText, type DnsProblem, type DnsProblemCode } from './problems';
import type { RequiredRecord } from './required';

/** What to begin with: it asks for nothing yet. */
const BEGINNING = 'v=DMARC1; p=none';

/** Whether a TXT record was meant to be a DMARC record, and is none. */
const isNearlyDmarc = (text: string): boolean => !isDmarc(text) && /dmarc/i.test(text);

/** A domain has no more than so many above it that are asked for a policy. */
const MAX_PARENTS = 5;

/**
 * Whether receivers find what to do with mail that others send in the domain's name. A domain without a policy has that of
 * one above it.
 *
 * @param required the record that the service recommends; undefined where it recommends none
 */
export async function checkDmarc(
	questions: Questions,
	domain: string,
	required: RequiredRecord | undefined,
): Promise<DnsProblem[]> {
	const own = `_dmarc.${domain}`;
	const recommended = required?.type === 'TXT' ? required.expected : null;
	const places = [
		own,
		...parentsOf(domain)
			.slice(0, MAX_PARENTS)
			.map((name) => `_dmarc.${name}`),
	];
	for (const name of places) {
		const texts = await questions.records(name, 'TXT');
		if (texts === undefined) return [];
		const records = texts.filter(isDmarc);
		const nearly = texts.filter(isNearlyDmarc);
		const found = foundText(records.length > 0 ? records : nearly);
		const problem = (code: DnsProblemCode, reason: string | null = null): DnsProblem => ({
			...{ code, reason },
			record: { type: 'TXT', name, expected: name === own ? recommended : null, found },
		});
		const [text, ...others] = records;
		if (others.length > 0) return [problem('dmarcDoubled')];
		if (text === undefined && nearly.length > 0) {
			return [problem('dmarcInvalid', 'it does not begin with v=DMARC1')];
		}
		if (text === undefined) continue;

		const record = readDmarc(text);
		if (record.flaw !== null) return [problem('dmarcInvalid', record.flaw)];
		const policy = name === own ? record.policy : record.subdomainPolicy;
		if (name === own && isWeaker(policy, recommended)) return [problem('dnsRecordDifferent')];
		return policy === 'none' ? [problem('dmarcPolicyNone')] : [];
	}
	const expected = recommended ?? BEGINNING;
	const record = { type: 'TXT', name: own, expected, found: null } as const;
	return [{ code: 'dmarcMissing', record, reason: null }];
}

/** A stronger policy than the recommended one is the user's good right. */
function isWeaker(policy: (typeof DMARC_POLICIES)[number], recommended: string | null): boolean {
	if (recommended === null) return false;
	const wanted = readDmarc(recommended).policy;
	return DMARC_POLICIES.indexOf(policy) < DMARC_POLICIES.indexOf(wanted);
}
