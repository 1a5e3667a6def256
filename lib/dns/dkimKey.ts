import { createPublicKey, type KeyObject } from 'crypto';

import { BoundedMap } from '../basics';
import { readTagList } from './dmarc';

/** A DKIM key record (RFC 6376, section 3.6.1; RFC 8301; RFC 8463). */
export interface DkimKey {
	kind: string;
	/** Undefined if there is a flaw. */
	publicKey?: KeyObject;
	/** The key as it is written, to compare two records. */
	written: string;
	flaw?: 'malformed' | 'otherPurpose' | 'revoked' | 'tooShort';
	/** The flaw in a few words. */
	reason: string | null;
	/** Receivers must not rely on it (t=y). */
	isTesting: boolean;
	/** Whether it may not sign for subdomains (t=s). */
	isStrict: boolean;
}

/** Receivers reject shorter RSA keys (RFC 8301, section 3.2). */
const MIN_RSA_BITS = 1024;

/** Characters of records. To decode a key takes five times as long as to check a signature with it. */
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
	const list = (tag: string, otherwise: string) =>
		(tags.get(tag) ?? otherwise)
			.toLowerCase()
			.split(':')
			.map((entry) => entry.trim());
	const allows = (tag: string, ...names: string[]) =>
		!tags.has(tag) || list(tag, '').some((entry) => names.includes(entry));
	const kind = tags.get('k')?.toLowerCase() ?? 'rsa';
	const data = tags.get('p')?.replace(/\s+/g, '') ?? '';
	const isVersion = !tags.has('v') || /^\s*v\s*=\s*DKIM1\s*(?:;|$)/.test(text);
	const publicKey = decodeKey(kind, data);
	const bits = publicKey?.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;

	const flaws: Array<[isFound: boolean, flaw: DkimKey['flaw'], reason: string | null]> = [
		[syntax !== null, 'malformed', syntax],
		[!isVersion, 'malformed', 'it does not begin with v=DKIM1'],
		[tags.has('p') && data === '', 'revoked', 'its key (p=) is empty'],
		[!allows('s', '*', 'email'), 'otherPurpose', 'it is not meant for email (s=)'],
		[!allows('h', 'sha256'), 'otherPurpose', 'it does not allow SHA-256 (h=)'],
		[
			publicKey === undefined,
			'malformed',
			'its key (k= and p=) is missing, damaged or of an unknown type',
		],
		[bits < MIN_RSA_BITS, 'tooShort', `its key has ${bits} bits`],
	];
	const [, flaw, reason = null] = flaws.find(([isFound]) => isFound) ?? [];
	return {
		kind,
		...(flaw === undefined ? { publicKey } : { flaw }),
		written: `${kind} ${data}`,
		reason,
		isTesting: list('t', '').includes('y'),
		isStrict: list('t', '').includes('s'),
	};
}

function decodeKey(kind: string, data: string): KeyObject | undefined {
	if (!/^[A-Za-z\d+/]+={0,2}$/.test(data)) return undefined;
	const key = Buffer.from(data, 'base64');
	if (kind === 'ed25519' && key.length === 32) {
		const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
		return createPublicKey({ key: jwk, format: 'jwk' });
	}
	const decoded = kind === 'rsa' ? (rsaKey(key, 'spki') ?? rsaKey(key, 'pkcs1')) : undefined;
	return decoded?.asymmetricKeyType === 'rsa' ? decoded : undefined;
}

function rsaKey(key: Buffer, type: 'pkcs1' | 'spki'): KeyObject | undefined {
	try {
		return createPublicKey({ key, format: 'der', type });
	} catch {
		return undefined;
	}
}
