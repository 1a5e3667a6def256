import type { DmarcPolicy } from '../authentication/authentication';
import { readTagList } from '../tagList';

/** What a DMARC record asks of receivers (RFC 7489, section 6.3). */
export interface DmarcRecord {
	policy: DmarcPolicy;
	/** For domains below the one with the record. */
	subdomainPolicy: DmarcPolicy;
	/** Why receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

/** From the weakest to the strongest. */
export const DMARC_POLICIES: readonly DmarcPolicy[] = ['none', 'quarantine', 'reject'];

const VERSION = /^v\s*=\s*DMARC1\s*(?:;|$)/;

/** Whether a TXT record is a DMARC record for receivers. */
export const isDmarc = (text: string): boolean => VERSION.test(text);

/** Whether a TXT record was meant to be one, and is none. */
export const isNearlyDmarc = (text: string): boolean => !isDmarc(text) && /dmarc/i.test(text);

/**
 * Reads a DMARC record.
 *
 * @param text that is one: see {@link isDmarc}
 */
export function readDmarc(text: string): DmarcRecord {
	const { tags, flaw } = readTagList(text);
	const policy = readPolicy(tags.get('p'));
	const subdomainPolicy = readPolicy(tags.get('sp'));
	return {
		policy: policy ?? 'none',
		subdomainPolicy: subdomainPolicy ?? policy ?? 'none',
		flaw: flaw ?? flawOf(tags, policy, subdomainPolicy),
	};
}

/** What p= or sp= says; undefined where that is no policy. */
export function readPolicy(value: string | undefined): DmarcPolicy | undefined {
	const word = value?.toLowerCase();
	return DMARC_POLICIES.find((policy) => policy === word);
}

function flawOf(
	tags: ReadonlyMap<string, string>,
	policy: DmarcPolicy | undefined,
	subdomainPolicy: DmarcPolicy | undefined,
): string | null {
	if (!tags.has('p')) return 'it has no policy (p=)';
	if (policy === undefined) return 'its policy (p=) is none of none, quarantine and reject';
	return tags.has('sp') && subdomainPolicy === undefined
		? 'its policy for subdomains (sp=) is none of none, quarantine and reject'
		: null;
}
