import { Cache, trimOf } from '../basics';
import { isSameOrganization, organizationalDomain, parentsOf } from './organizations';
import type { DnsResolver } from './resolver/httpsResolver';

/** The tag list of a DKIM or DMARC record (RFC 6376, section 3.2; RFC 9989, section 4.7). */
interface TagList {
	/** By name, trimmed; the first of duplicates. */
	tags: ReadonlyMap<string, string>;
	/** Why strict receivers reject it, in a few words; null if valid. */
	flaw: string | null;
}

export function readTagList(text: string): TagList {
	const tags = new Map<string, string>();
	let flaw: string | null = null;
	const specs = text.split(';').map(trimBlanks);
	if (specs.at(-1) === '') specs.pop();
	for (const spec of specs) {
		const equals = spec.indexOf('=');
		const name = trimBlanks(spec.slice(0, Math.max(0, equals)));
		if (!/^[a-z]\w*$/i.test(name)) flaw ??= `"${spec}" is not a tag with a value`;
		else if (tags.has(name)) flaw ??= `the tag ${name} appears twice`;
		else tags.set(name, trimBlanks(spec.slice(equals + 1)));
	}
	return { tags, flaw };
}

/** Other whitespace, such as a form feed, makes a tag malformed. */
const trimBlanks = (text: string): string =>
	trimOf(text, (character) => ' \t\r\n'.includes(character));

/** From the weakest to the strongest. */
const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;

export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** A DMARC record (RFC 9989, section 4.7). */
interface DmarcRecord extends TagList {
	/** `_dmarc.example.com`. */
	name: string;
	text: string;
	/** For the domain itself, its subdomains, and names below it that do not exist. */
	policies: Record<'np' | 'p' | 'sp', DmarcPolicy>;
	/** Whether only the domain itself may sign, not its organization. */
	isStrict: boolean;
	/** Whether the policy is being tested (t=y): receivers apply one that is one step weaker. */
	isTesting: boolean;
	/** Whether other organizations have the names below (`y`), or this one begins here (`n`). */
	psd: 'n' | 'y' | undefined;
}

export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text);

/** @param text of a DMARC record: see {@link isDmarc} */
export function readDmarc(text: string, name: string): DmarcRecord {
	const { tags, flaw } = readTagList(text);
	const word = (tag: string) => tags.get(tag)?.toLowerCase();
	const read = (tag: string) => DMARC_POLICIES.find((policy) => policy === word(tag));
	const wrong = ['p', 'sp', 'np'].find((tag) => tags.has(tag) && read(tag) === undefined);
	const noPolicy = wrong && `its policy (${wrong}=) is not none, quarantine or reject`;
	const p = read('p') ?? 'none';
	const sp = read('sp') ?? p;
	return {
		name,
		text,
		tags,
		policies: { p, sp, np: read('np') ?? sp },
		isStrict: word('adkim') === 's',
		isTesting: word('t') === 'y',
		psd: (['n', 'y'] as const).find((value) => value === word('psd')),
		flaw: flaw ?? noPolicy ?? null,
	};
}

export const strengthOf = (policy: DmarcPolicy): number => DMARC_POLICIES.indexOf(policy);

/** A walk asks for this many names at most, besides the domain itself (RFC 9989, 4.10). */
const MAX_LABELS = 7;

/**
 * The domain of From according to DMARC (RFC 9989), and to receivers that still follow RFC 7489 with its public suffix list:
 * of both answers the stricter one counts.
 */
export class Dmarc {
	private readonly memory = new Cache();

	/** The domain's own record, or those of its organization; undefined if a DNS lookup failed. */
	readonly applied: Promise<DmarcRecord[] | undefined>;

	/** @param domain in ASCII */
	constructor(
		private readonly domain: string,
		private readonly resolver: DnsResolver,
	) {
		this.applied = this.lookUp();
	}

	async policy(): Promise<DmarcPolicy | 'unknown' | null> {
		const records = await this.applied;
		if (records === undefined) return 'unknown';
		const isOwn = (await this.recordAt(this.domain)) !== null;
		const isNeeded = !isOwn && records.some(({ policies }) => policies.np !== policies.sp);
		// A query for an alias is about the name itself (RFC 9989, appendix A.4).
		const itself = isNeeded ? await this.resolver.ask(this.domain, 'CNAME') : undefined;
		if (itself !== undefined && 'reason' in itself) return 'unknown';
		const tag = isOwn ? 'p' : itself?.status === 'noSuchName' ? 'np' : 'sp';
		const policies = records.map((record) => appliedPolicy(record, tag));
		return DMARC_POLICIES.findLast((policy) => policies.includes(policy)) ?? null;
	}

	/**
	 * Whether a domain may sign: both the public suffix list and the records in the DNS must call it the same organization.
	 * Undefined if a DNS lookup failed.
	 */
	async isAligned(signer: string): Promise<boolean | undefined> {
		if (!isSameOrganization(signer, this.domain)) return false;
		if (signer === this.domain) return true;
		const records = await this.applied;
		if (records === undefined) return undefined;
		if (records.some(({ isStrict }) => isStrict)) return false;
		const [one, other] = [await this.walk(signer), await this.walk(this.domain)];
		return one && other && one.organization === other.organization;
	}

	private async lookUp(): Promise<DmarcRecord[] | undefined> {
		const own = await this.recordAt(this.domain);
		if (own) return [own];
		const byTree = await this.walk(this.domain);
		const byList = await this.recordAt(organizationalDomain(this.domain) ?? this.domain);
		if (byTree === undefined || byList === undefined) return undefined;
		return [...new Set([byTree.record, byList])].filter((record) => record !== null);
	}

	/** The DNS tree walk to the organization of a domain (RFC 9989, section 4.10), and the organization's record. */
	private async walk(
		domain: string,
	): Promise<{ organization: string; record: DmarcRecord | null } | undefined> {
		let organization = domain;
		let last: DmarcRecord | null = null;
		const names = [domain, ...parentsOf(domain).slice(-MAX_LABELS)];
		for (const [index, name] of names.entries()) {
			const record = await this.recordAt(name);
			if (record === undefined) return undefined;
			if (record === null) continue;
			last = record;
			organization = (record.psd === 'y' && names[index - 1]) || name;
			if (record.psd !== undefined) break;
		}
		return { organization, record: (await this.recordAt(organization)) ?? last };
	}

	/** The record of a name; null for none or several, undefined if the DNS lookup failed. */
	private async recordAt(domain: string): Promise<DmarcRecord | null | undefined> {
		const name = `_dmarc.${domain}`;
		return await this.memory.once(name, async () => {
			const answer = await this.resolver.ask(name, 'TXT');
			if ('reason' in answer) return undefined;
			const [text, another] = answer.status === 'found' ? answer.records.filter(isDmarc) : [];
			return text === undefined || another !== undefined ? null : readDmarc(text, name);
		});
	}
}

/** With a flaw, receivers ignore the record, or only send the reports that it asks for (RFC 9989, 4.10.1). */
function appliedPolicy(record: DmarcRecord, tag: 'np' | 'p' | 'sp'): DmarcPolicy | null {
	if (record.flaw !== null) return record.tags.has('rua') ? 'none' : null;
	const strength = strengthOf(record.policies[tag]) - Number(record.isTesting);
	return DMARC_POLICIES[Math.max(0, strength)] ?? null;
}
