import { organizationalDomain } from './names';
import type { DnsResolver } from './resolver/types';

/** A list of tags, as the records of DKIM and DMARC are (RFC 6376, section 3.2; RFC 7489, section 6.4). */
export interface TagList {
	/** By name; of two with one name, the first. Blanks around values are gone. */
	tags: ReadonlyMap<string, string>;
	/** Why strict receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

const TAG_NAME = /^[a-z]\w*$/i;

const MAX_SHOWN = 40;

/** Reads `tag=value; tag=value`. */
export function readTagList(text: string): TagList {
	const tags = new Map<string, string>();
	let flaw: string | null = null;
	const specs = text.split(';');
	if (specs.at(-1)?.trim() === '') specs.pop();
	for (const spec of specs) {
		const equals = spec.indexOf('=');
		const name = spec.slice(0, Math.max(0, equals)).trim();
		if (!TAG_NAME.test(name))
			flaw ??= `"${spec.trim().slice(0, MAX_SHOWN)}" is not a tag with a value`;
		else if (tags.has(name)) flaw ??= `the tag ${name} appears twice`;
		else tags.set(name, spec.slice(equals + 1).trim());
	}
	return { tags, flaw };
}

/** From the weakest to the strongest. */
export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;

/** What a domain asks receivers to do with mail that is not proved to be its own. */
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** How the domain of a signature has to match that of From: the same organization, or the same domain. */
export type Alignment = 'relaxed' | 'strict';

/** A DMARC record (RFC 7489, section 6.3). */
interface DmarcRecord {
	/** Undefined where it names none of the three. */
	policy: DmarcPolicy | undefined;
	/** For domains below the one with the record. */
	subdomainPolicy: DmarcPolicy | undefined;
	alignment: Alignment;
	/** Whether the domain wants reports. */
	isReported: boolean;
	/** Why receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

const DMARC_VERSION = /^v\s*=\s*DMARC1\s*(?:;|$)/;

/** Whether a TXT record is a DMARC record for receivers. */
export const isDmarc = (text: string): boolean => DMARC_VERSION.test(text);

/** @param text that is one: see {@link isDmarc} */
export function readDmarc(text: string): DmarcRecord {
	const { tags, flaw } = readTagList(text);
	const policy = readPolicy(tags.get('p'));
	const subdomainPolicy = tags.has('sp') ? readPolicy(tags.get('sp')) : policy;
	const without = policy === undefined ? 'p' : subdomainPolicy === undefined ? 'sp' : undefined;
	const noPolicy = without && `its policy (${without}=) is not none, quarantine or reject`;
	return {
		policy,
		subdomainPolicy,
		alignment: tags.get('adkim')?.toLowerCase() === 's' ? 'strict' : 'relaxed',
		isReported: tags.has('rua'),
		flaw: flaw ?? noPolicy ?? null,
	};
}

function readPolicy(value: string | undefined): DmarcPolicy | undefined {
	const word = value?.toLowerCase();
	return DMARC_POLICIES.find((policy) => policy === word);
}

export interface PublishedPolicy {
	/** Null where the domain asks nothing. */
	policy: DmarcPolicy | null;
	alignment: Alignment;
}

const NOT_PUBLISHED: PublishedPolicy = { policy: null, alignment: 'relaxed' };

/**
 * Asks for a domain's policy: its own record, else that of its organization (RFC 7489, 6.6.3).
 *
 * @param domain of From, in ASCII
 * @returns undefined where the DNS could not be asked
 */
export async function askForPolicy(
	domain: string,
	resolver: DnsResolver,
): Promise<PublishedPolicy | undefined> {
	const organization = organizationalDomain(domain) ?? domain;
	for (const place of new Set([domain, organization])) {
		const answer = await resolver.ask(`_dmarc.${place}`, 'TXT');
		if ('reason' in answer) return undefined;
		const records = answer.status === 'found' ? answer.records.filter(isDmarc) : [];
		// Several records are none.
		if (records.length !== 1) continue;
		const { alignment, isReported, ...record } = readDmarc(records[0] ?? '');
		const policy = place === domain ? record.policy : record.subdomainPolicy;
		if (policy === undefined && !isReported) return NOT_PUBLISHED;
		return { policy: policy ?? 'none', alignment };
	}
	return NOT_PUBLISHED;
}

/** Whether a signature's domain counts for the domain of From (identifier alignment, RFC 7489, 3.1.1). */
export function isAligned(signer: string, from: string, mode: Alignment): boolean {
	const organization = organizationalDomain(from);
	if (organization === null) return false;
	return mode === 'strict' ? signer === from : organizationalDomain(signer) === organization;
}
