import { readTagList, type TagList } from './tagList';

/** From the weakest to the strongest. */
const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;

export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** The tag of a policy: for the domain itself, its subdomains, and names below it that do not exist. */
export type PolicyTag = 'np' | 'p' | 'sp';

const POLICY_TAGS: readonly PolicyTag[] = ['p', 'sp', 'np'];

/** A DMARC record (RFC 9989, section 4.7). */
export interface DmarcRecord extends TagList {
	/** `_dmarc.example.com`. */
	name: string;
	text: string;
	/** Without a policy of its own, subdomains have that of the domain, and missing names that of subdomains. */
	policies: Record<PolicyTag, DmarcPolicy>;
	/** Whether only the domain itself may sign, not its organization. */
	isStrict: boolean;
	/** Whether the policy is being tested (t=y): receivers apply one that is one step weaker. */
	isTesting: boolean;
	/** Whether other organizations have the names below (`y`), or this one begins here (`n`); undefined if it does not say. */
	psd: 'n' | 'y' | undefined;
}

export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text);

/** @param text of a DMARC record: see {@link isDmarc} */
export function readDmarc(text: string, name: string): DmarcRecord {
	const { tags, flaw } = readTagList(text);
	const p = readPolicy(tags.get('p')) ?? 'none';
	const sp = readPolicy(tags.get('sp')) ?? p;
	const np = readPolicy(tags.get('np')) ?? sp;
	return {
		name,
		text,
		tags,
		policies: { p, sp, np },
		isStrict: tags.get('adkim')?.toLowerCase() === 's',
		isTesting: tags.get('t')?.toLowerCase() === 'y',
		psd: readPsd(tags.get('psd')),
		flaw: flaw ?? flawOfPolicies(tags),
	};
}

/** Undefined if it is missing or unknown. */
function readPolicy(written: string | undefined): DmarcPolicy | undefined {
	return DMARC_POLICIES.find((policy) => policy === written?.toLowerCase());
}

/** Undefined if it is missing or unknown. */
function readPsd(written: string | undefined): DmarcRecord['psd'] {
	const value = written?.toLowerCase();
	return value === 'n' || value === 'y' ? value : undefined;
}

function flawOfPolicies(tags: TagList['tags']): string | null {
	for (const tag of POLICY_TAGS) {
		const isWrong = tags.has(tag) && readPolicy(tags.get(tag)) === undefined;
		if (isWrong) return `its policy (${tag}=) is not none, quarantine or reject`;
	}
	return null;
}

export const strengthOf = (policy: DmarcPolicy): number => DMARC_POLICIES.indexOf(policy);

/** The policy that receivers apply because of a record; null for none. */
export function appliedPolicy(record: DmarcRecord, tag: PolicyTag): DmarcPolicy | null {
	// With a flaw, they ignore the record, or only send the reports that it asks for (RFC 9989, 4.10.1).
	const asksForReports = record.tags.has('rua');
	if (record.flaw !== null) return asksForReports ? 'none' : null;
	const policy = record.policies[tag];
	if (!record.isTesting) return policy;
	const weaker = Math.max(0, strengthOf(policy) - 1);
	return DMARC_POLICIES[weaker] ?? null;
}

/** @returns null without any policy */
export function strongestPolicy(policies: ReadonlyArray<DmarcPolicy | null>): DmarcPolicy | null {
	return DMARC_POLICIES.findLast((policy) => policies.includes(policy)) ?? null;
}
