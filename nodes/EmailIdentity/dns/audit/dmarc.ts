import { DMARC_POLICIES, isDmarc, readDmarc, type DmarcPolicy } from '../dmarc';
import { parentsOf } from '../names';
import type { Questions } from '../resolver';
import { toText, type DnsProblem, type DnsProblemCode, type RequiredRecord } from './required';

/** A first record without effect on delivery. */
const BEGINNING = 'v=DMARC1; p=none';

/** Parent domains to look up. */
const MAX_PARENTS = 5;

/**
 * Checks that receivers find a DMARC policy. A domain without one has the policy of its parent.
 *
 * @param required the record that the service recommends
 */
export async function checkDmarc(
	questions: Questions,
	domain: string,
	required: RequiredRecord | undefined,
): Promise<DnsProblem[]> {
	const own = `_dmarc.${domain}`;
	const recommended = required?.type === 'TXT' ? required.expected : null;
	const above = parentsOf(domain).slice(0, MAX_PARENTS);
	for (const name of [own, ...above.map((parent) => `_dmarc.${parent}`)]) {
		const texts = await questions.records(name, 'TXT');
		if (texts === undefined) return [];
		const records = texts.filter(isDmarc);
		const nearly = texts.filter((text) => /dmarc/i.test(text));
		const found = toText(records.length > 0 ? records : nearly);
		const problem = (code: DnsProblemCode, reason: string | null = null): DnsProblem[] => [
			{
				record: { type: 'TXT', name, expected: name === own ? recommended : null, found },
				...{ code, reason },
			},
		];
		const [text] = records;
		if (records.length > 1) return problem('dmarcDoubled');
		if (text === undefined && nearly.length > 0) {
			return problem('dmarcInvalid', 'it does not begin with v=DMARC1');
		}
		if (text === undefined) continue;

		const { flaw, policy, subdomainPolicy } = readDmarc(text);
		if (flaw !== null) return problem('dmarcInvalid', flaw);
		if (name !== own) return subdomainPolicy === 'none' ? problem('dmarcPolicyNone') : [];
		if (isWeaker(policy, recommended)) return problem('dnsRecordDifferent');
		return policy === 'none' ? problem('dmarcPolicyNone') : [];
	}
	const expected = recommended ?? BEGINNING;
	const record = { type: 'TXT', name: own, expected, found: null } as const;
	return [{ code: 'dmarcMissing', record, reason: null }];
}

/** A policy may be stronger than the recommended one. */
function isWeaker(policy: DmarcPolicy | undefined, recommended: string | null): boolean {
	const strength = (one: DmarcPolicy | undefined) => DMARC_POLICIES.indexOf(one ?? 'none');
	return recommended !== null && strength(policy) < strength(readDmarc(recommended).policy);
}
