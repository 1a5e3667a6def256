import { organizationalDomain } from './names';
import type { DnsResolver } from './resolver';

/** The tag list of a DKIM or DMARC record (RFC 6376, section 3.2; RFC 7489, section 6.4). */
export interface TagList {
	/** By name, trimmed; the first of duplicates. */
	tags: ReadonlyMap<string, string>;
	/** Why strict receivers reject it, in a few words; null if valid. */
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

/** How a domain wants receivers to handle unauthenticated mail. */
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** A DMARC record (RFC 7489, section 6.3). */
interface DmarcRecord {
	/** Undefined if it is none of the three. */
	policy: DmarcPolicy | undefined;
	/** For subdomains. */
	subdomainPolicy: DmarcPolicy | undefined;
	/** Whether only the domain itself may sign, not its organization. */
	isStrict: boolean;
	/** Whether the domain wants reports. */
	isReported: boolean;
	/** Why receivers reject it, in a few words; null if valid. */
	flaw: string | null;
}

const DMARC_VERSION = /^v\s*=\s*DMARC1\s*(?:;|$)/;

/** Whether receivers treat a TXT record as a DMARC record. */
export const isDmarc = (text: string): boolean => DMARC_VERSION.test(text);

/** @param text of a DMARC record: see {@link isDmarc} */
export function readDmarc(text: string): DmarcRecord {
	const { tags, flaw } = readTagList(text);
	const policy = readPolicy(tags.get('p'));
	const subdomainPolicy = tags.has('sp') ? readPolicy(tags.get('sp')) : policy;
	const without = policy === undefined ? 'p' : subdomainPolicy === undefined ? 'sp' : undefined;
	const noPolicy = without && `its policy (${without}=) is not none, quarantine or reject`;
	return {
		policy,
		subdomainPolicy,
		isStrict: tags.get('adkim')?.toLowerCase() === 's',
		isReported: tags.has('rua'),
		flaw: flaw ?? noPolicy ?? null,
	};
}

function readPolicy(value: string | undefined): DmarcPolicy | undefined {
	const word = value?.toLowerCase();
	return DMARC_POLICIES.find((policy) => policy === word);
}

/** A domain's policy: its own record, or the record of its organization (RFC 7489, 6.6.3). */
interface Published {
	/** Null if the domain has no policy. */
	policy: DmarcPolicy | null;
	isStrict: boolean;
}

const NOT_PUBLISHED: Published = { policy: null, isStrict: false };

/** The domain of From according to DMARC. */
export class Dmarc {
	/** Undefined if the DNS lookup failed. */
	private readonly published: Promise<Published | undefined>;

	/** @param domain in ASCII */
	constructor(
		private readonly domain: string,
		private readonly resolver: DnsResolver,
	) {
		this.published = this.lookUp();
	}

	/** How the domain wants receivers to handle forged mail; null for no policy. */
	async policy(): Promise<DmarcPolicy | 'unknown' | null> {
		const published = await this.published;
		return published === undefined ? 'unknown' : published.policy;
	}

	/** Whether a domain of the same organization may sign (RFC 7489, 3.1.1); undefined if the DNS lookup failed. */
	async isAligned(signer: string): Promise<boolean | undefined> {
		if (signer === this.domain) return true;
		const published = await this.published;
		return published && !published.isStrict;
	}

	private async lookUp(): Promise<Published | undefined> {
		const organization = organizationalDomain(this.domain) ?? this.domain;
		for (const place of new Set([this.domain, organization])) {
			const answer = await this.resolver.ask(`_dmarc.${place}`, 'TXT');
			if ('reason' in answer) return undefined;
			const records = answer.status === 'found' ? answer.records.filter(isDmarc) : [];
			// Several records count as none.
			if (records.length !== 1) continue;
			const { isStrict, isReported, ...record } = readDmarc(records[0] ?? '');
			const policy = place === this.domain ? record.policy : record.subdomainPolicy;
			if (policy === undefined && !isReported) return NOT_PUBLISHED;
			return { policy: policy ?? 'none', isStrict };
		}
		return NOT_PUBLISHED;
	}
}
