import { createPublicKey } from 'crypto';

/** A list of tags, as the records of DKIM and DMARC are (RFC 6376, section 3.2; RFC 7489, section 6.4). */
export interface TagList {
	/** By name, in the order in which they stand; of two with one name, the first. Blanks around values are gone. */
	tags: ReadonlyMap<string, string>;
	/** Why strict receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

const TAG_NAME = /^[a-z]\w*$/i;

/** Reads `tag=value; tag=value`. */
export function readTagList(text: string): TagList {
	const tags = new Map<string, string>();
	let flaw: string | null = null;
	const specs = text.split(';');
	if (specs.at(-1)?.trim() === '') specs.pop();
	for (const spec of specs) {
		const equals = spec.indexOf('=');
		const name = spec.slice(0, Math.max(0, equals)).trim();
		if (!TAG_NAME.test(name)) flaw ??= `"${spec.trim().slice(0, 40)}" is no tag with a value`;
		else if (tags.has(name)) flaw ??= `the tag ${name} is there twice`;
		else tags.set(name, spec.slice(equals + 1).trim());
	}
	return { tags, flaw };
}

/** What a domain asks receivers to do with mail that is not proved to be its own (DMARC). */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** From the weakest to the strongest. */
export const DMARC_POLICIES: readonly DmarcPolicy[] = ['none', 'quarantine', 'reject'];

/** What a DMARC record asks of receivers (RFC 7489, section 6.3). */
export interface DmarcRecord {
	policy: DmarcPolicy;
	/** For domains below the one with the record. */
	subdomainPolicy: DmarcPolicy;
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
	const subdomainPolicy = readPolicy(tags.get('sp'));
	return {
		policy: policy ?? 'none',
		subdomainPolicy: subdomainPolicy ?? policy ?? 'none',
		flaw: flaw ?? dmarcFlaw(tags, policy, subdomainPolicy),
	};
}

/** What p= or sp= says; undefined where that is no policy. */
export function readPolicy(value: string | undefined): DmarcPolicy | undefined {
	const word = value?.toLowerCase();
	return DMARC_POLICIES.find((policy) => policy === word);
}

function dmarcFlaw(
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

/** What a DKIM key is good for (RFC 6376, section 3.6.1; RFC 8301; RFC 8463). */
export interface DkimKey {
	state: 'malformed' | 'revoked' | 'tooShort' | 'usable';
	/** What is wrong with it, in a few words; null where nothing is. */
	flaw: string | null;
	/** Whether its domain says that it only tries signing (t=y): receivers then may count the email as not signed. */
	isTesting: boolean;
	/** The key itself, in one way of writing. */
	key: string;
}

/** Receivers take no RSA key of fewer bits (RFC 8301, section 3.2). */
export const MIN_RSA_BITS = 1024;

const ED25519_BYTES = 32;

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** How the length of a key is found, by its kind: in bits, or undefined where it is none. */
const LENGTHS: ReadonlyMap<string, (key: Buffer) => number | undefined> = new Map([
	['rsa', (key: Buffer) => rsaBits(key, 'spki') ?? rsaBits(key, 'pkcs1')],
	['ed25519', (key: Buffer) => (key.length === ED25519_BYTES ? ED25519_BYTES * 8 : undefined)],
]);

/** Reads the text of a DKIM key record. */
export function readDkimKey(text: string): DkimKey {
	const { tags, flaw } = readTagList(text);
	const kind = (tags.get('k') ?? 'rsa').toLowerCase();
	const data = (tags.get('p') ?? '').replace(/\s+/g, '');
	const isTesting = listed(tags.get('t')).includes('y');
	const is = (state: DkimKey['state'], what: string | null): DkimKey => ({
		...{ state, flaw: what, isTesting, key: `${kind} ${data}` },
	});

	if (flaw !== null) return is('malformed', flaw);
	if (tags.has('v') && (tags.get('v') !== 'DKIM1' || [...tags.keys()][0] !== 'v')) {
		return is('malformed', 'it does not begin with v=DKIM1');
	}
	if (!tags.has('p')) return is('malformed', 'it has no key (p=)');
	if (data === '') return is('revoked', 'its key (p=) is empty');
	if (!mayBeUsedForMail(tags.get('s'))) return is('malformed', 'it is not meant for email (s=)');
	const lengthOf = LENGTHS.get(kind);
	if (lengthOf === undefined)
		return is('malformed', `receivers know no keys of kind ${kind.slice(0, 20)}`);
	const bits = BASE64.test(data) ? lengthOf(Buffer.from(data, 'base64')) : undefined;
	if (bits === undefined) return is('malformed', 'its key (p=) is damaged');
	if (kind === 'rsa' && bits < MIN_RSA_BITS) return is('tooShort', `its key has ${bits} bits`);
	return is('usable', null);
}

function rsaBits(key: Buffer, type: 'pkcs1' | 'spki'): number | undefined {
	try {
		const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
			...{ key, format: 'der', type },
		});
		return asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : undefined;
	} catch {
		return undefined;
	}
}

function mayBeUsedForMail(services: string | undefined): boolean {
	return (
		services === undefined || listed(services).some((name) => name === '*' || name === 'email')
	);
}

const listed = (value = ''): string[] => value.split(':').map((word) => word.trim().toLowerCase());
