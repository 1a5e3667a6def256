import { Cache } from '../basics';
import { parentsOf } from './domainNames';
import {
	appliedPolicy,
	isDmarc,
	readDmarc,
	strongestPolicy,
	type DmarcPolicy,
	type DmarcRecord,
} from './dmarcRecord';
import type { PublicSuffixes } from './publicSuffixes';
import type { DnsResolver } from './resolver/httpsResolver';

/** Whether a domain may sign for another one; `unknown` if the DNS did not answer. */
export type Alignment = 'aligned' | 'notAligned' | 'unknown';

/** The organization of a domain by the DNS, and the organization's record; null without any. */
interface TreeWalk {
	organization: string;
	record: DmarcRecord | null;
}

/**
 * A walk asks for this many names at most, besides the domain itself (RFC 9989, 4.10). A sender can have a domain of a hundred labels, and
 * each email would cost a hundred queries.
 */
const MAX_LABELS = 7;

/**
 * The domain of From according to DMARC (RFC 9989), and to receivers that still follow RFC 7489 with its public suffix list:
 * of both answers the stricter one counts. Each name is looked up once.
 */
export class Dmarc {
	private readonly records = new Cache<DmarcRecord | 'unknown' | null>();

	/** The domain's own record, or those of its organization by the tree walk and by the list. */
	readonly applied: Promise<DmarcRecord[] | 'unknown'>;

	/** @param domain in ASCII */
	constructor(
		private readonly domain: string,
		private readonly resolver: DnsResolver,
		private readonly suffixes: PublicSuffixes,
	) {
		this.applied = this.lookUp();
	}

	/** @returns null for no policy, `unknown` if the DNS did not answer */
	async policy(): Promise<DmarcPolicy | 'unknown' | null> {
		const records = await this.applied;
		if (records === 'unknown') return 'unknown';
		const tag = await this.tagFor(records);
		if (tag === 'unknown') return 'unknown';
		return strongestPolicy(records.map((record) => appliedPolicy(record, tag)));
	}

	/** Whether a domain may sign: both the public suffix list and the DNS must call it the same organization. */
	async alignmentOf(signer: string): Promise<Alignment> {
		if (!this.suffixes.isSameOrganization(signer, this.domain)) return 'notAligned';
		if (signer === this.domain) return 'aligned';
		const records = await this.applied;
		if (records === 'unknown') return 'unknown';
		if (records.some(({ isStrict }) => isStrict)) return 'notAligned';
		const ofSigner = await this.walk(signer);
		const ofDomain = await this.walk(this.domain);
		if (ofSigner === 'unknown' || ofDomain === 'unknown') return 'unknown';
		return ofSigner.organization === ofDomain.organization ? 'aligned' : 'notAligned';
	}

	private async lookUp(): Promise<DmarcRecord[] | 'unknown'> {
		const own = await this.recordAt(this.domain);
		if (own === 'unknown') return 'unknown';
		if (own !== null) return [own];
		const byTree = await this.walk(this.domain);
		const byList = await this.recordAt(this.suffixes.organizationOf(this.domain) ?? this.domain);
		if (byTree === 'unknown' || byList === 'unknown') return 'unknown';
		const records = new Set([byTree.record, byList]);
		return [...records].filter((record) => record !== null);
	}

	/** The tag with the policy for the domain. */
	private async tagFor(records: readonly DmarcRecord[]): Promise<'np' | 'p' | 'sp' | 'unknown'> {
		const isOwn = (await this.recordAt(this.domain)) !== null;
		if (isOwn) return 'p';
		const isSameForBoth = records.every(({ policies }) => policies.np === policies.sp);
		if (isSameForBoth) return 'sp';
		// A query for an alias is about the name itself (RFC 9989, appendix A.4).
		const itself = await this.resolver.ask(this.domain, 'CNAME');
		if (itself.status === 'failed') return 'unknown';
		return itself.status === 'noSuchName' ? 'np' : 'sp';
	}

	/** The DNS tree walk to the organization of a domain (RFC 9989, section 4.10). */
	private async walk(domain: string): Promise<TreeWalk | 'unknown'> {
		let organization = domain;
		let last: DmarcRecord | null = null;
		let below = '';
		for (const name of [domain, ...parentsOf(domain).slice(-MAX_LABELS)]) {
			const record = await this.recordAt(name);
			if (record === 'unknown') return 'unknown';
			if (record !== null) {
				last = record;
				// The names below belong to other organizations.
				organization = record.psd === 'y' && below !== '' ? below : name;
				if (record.psd !== undefined) break;
			}
			below = name;
		}
		const record = await this.recordAt(organization);
		if (record === 'unknown') return 'unknown';
		return { organization, record: record ?? last };
	}

	/** Null for none or several. */
	private async recordAt(domain: string): Promise<DmarcRecord | 'unknown' | null> {
		const name = `_dmarc.${domain}`;
		return await this.records.once(name, async () => {
			const answer = await this.resolver.ask(name, 'TXT');
			if (answer.status === 'failed') return 'unknown';
			if (answer.status !== 'found') return null;
			const [text, another] = answer.records.filter(isDmarc);
			if (text === undefined || another !== undefined) return null;
			return readDmarc(text, name);
		});
	}
}
