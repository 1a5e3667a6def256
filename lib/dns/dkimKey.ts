import { createPublicKey, type KeyObject } from 'crypto';

import { BoundedMap } from '../basics';
import { readTagList, type TagList } from './tagList';

type KeyFlaw = 'malformed' | 'otherPurpose' | 'revoked' | 'tooShort';

/** A DKIM key record (RFC 6376, section 3.6.1; RFC 8301; RFC 8463). */
export interface DkimKey {
	/** `rsa` or `ed25519`, or as it is written if the key has a flaw. */
	kind: string;
	/** Undefined if there is a flaw. */
	publicKey?: KeyObject;
	/** The key as it is written, to compare two records. */
	written: string;
	/** Undefined if receivers accept the key. */
	flaw?: KeyFlaw;
	/** The flaw in a few words; null without one. */
	reason: string | null;
	/** Receivers must not rely on it (t=y). */
	isTesting: boolean;
	/** Whether it may not sign for subdomains (t=s). */
	isStrict: boolean;
}

/** Receivers reject shorter RSA keys (RFC 8301, section 3.2): their factors can be found, and then anyone can sign. */
const MIN_RSA_BITS = 1024;

/**
 * Characters of records. To decode a key takes five times as long as to check a signature with it, so keys are kept. Senders choose the
 * records, and can have one for each email: the oldest are dropped.
 */
const MAX_CACHED = 500_000;

const keys = new BoundedMap<string, DkimKey>(MAX_CACHED, (_, text) => text.length);

export function readDkimKey(text: string): DkimKey {
	const known = keys.get(text);
	if (known) return known;
	const key = decodeRecord(text);
	keys.set(text, key);
	return key;
}

function decodeRecord(text: string): DkimKey {
	const { tags, flaw: syntax } = readTagList(text);
	const kind = tags.get('k')?.toLowerCase() ?? 'rsa';
	const data = tags.get('p')?.replace(/\s+/g, '') ?? '';
	const flags = wordsOfList(tags.get('t') ?? '');
	const common = {
		kind,
		written: `${kind} ${data}`,
		isTesting: flags.includes('y'),
		isStrict: flags.includes('s'),
	};
	const wrong = (flaw: KeyFlaw, reason: string): DkimKey => ({ ...common, flaw, reason });

	if (syntax !== null) return wrong('malformed', syntax);
	const isVersion = !tags.has('v') || /^\s*v\s*=\s*DKIM1\s*(?:;|$)/.test(text);
	if (!isVersion) return wrong('malformed', 'it does not begin with v=DKIM1');
	if (tags.has('p') && data === '') return wrong('revoked', 'its key (p=) is empty');
	if (!allows(tags, 's', ['*', 'email'])) {
		return wrong('otherPurpose', 'it is not meant for email (s=)');
	}
	if (!allows(tags, 'h', ['sha256'])) {
		return wrong('otherPurpose', 'it does not allow SHA-256 (h=)');
	}
	const publicKey = decodeKey(kind, data);
	if (publicKey === undefined) {
		return wrong('malformed', 'its key (k= and p=) is missing, damaged or of an unknown type');
	}
	const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
	if (bits < MIN_RSA_BITS) return wrong('tooShort', `its key has ${bits} bits`);
	return { ...common, publicKey, reason: null };
}

/** The words of a list such as `y:s`, in lower case. */
function wordsOfList(list: string): string[] {
	const words = list.toLowerCase().split(':');
	return words.map((word) => word.trim());
}

/** Whether a list contains one of these words, or is missing. */
function allows(tags: TagList['tags'], tag: string, words: readonly string[]): boolean {
	const list = tags.get(tag);
	if (list === undefined) return true;
	return wordsOfList(list).some((word) => words.includes(word));
}

/** @returns undefined if it is no key of this kind */
function decodeKey(kind: string, data: string): KeyObject | undefined {
	if (!/^[A-Za-z\d+/]+={0,2}$/.test(data)) return undefined;
	const key = Buffer.from(data, 'base64');
	if (kind === 'ed25519' && key.length === 32) {
		const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
		return createPublicKey({ key: jwk, format: 'jwk' });
	}
	if (kind !== 'rsa') return undefined;
	const decoded = rsaKey(key, 'spki') ?? rsaKey(key, 'pkcs1');
	if (decoded?.asymmetricKeyType !== 'rsa') return undefined;
	return decoded;
}

/** @param type how the key is wrapped: as RFC 6376 says (`pkcs1`), or as nearly everyone writes it */
function rsaKey(key: Buffer, type: 'pkcs1' | 'spki'): KeyObject | undefined {
	try {
		return createPublicKey({ key, format: 'der', type });
	} catch {
		return undefined;
	}
}
