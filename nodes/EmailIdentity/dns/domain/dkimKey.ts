import { createPublicKey } from 'crypto';

import { readTagList } from '../tagList';

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
export const SHORTEST_RSA = 1024;

const ED25519_BYTES = 32;

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** How the length of a key is found, by its kind: in bits, or undefined where it is none. */
const LENGTHS: Readonly<Record<string, (key: Buffer) => number | undefined>> = {
	rsa: (key) => rsaBits(key, 'spki') ?? rsaBits(key, 'pkcs1'),
	ed25519: (key) => (key.length === ED25519_BYTES ? ED25519_BYTES * 8 : undefined),
};

/** Reads the text of a DKIM key record. */
export function readDkimKey(text: string): DkimKey {
	const { tags, flaw } = readTagList(text);
	const kind = (tags.get('k') ?? 'rsa').toLowerCase();
	const data = (tags.get('p') ?? '').replace(/\s+/g, '');
	const isTesting = listed(tags.get('t')).includes('y');
	const key = `${kind} ${data}`;
	const is = (state: DkimKey['state'], what: string | null): DkimKey => ({
		...{ state, flaw: what, isTesting, key },
	});

	if (flaw !== null) return is('malformed', flaw);
	if (tags.has('v') && (tags.get('v') !== 'DKIM1' || [...tags.keys()][0] !== 'v')) {
		return is('malformed', 'it does not begin with v=DKIM1');
	}
	if (!tags.has('p')) return is('malformed', 'it has no key (p=)');
	if (data === '') return is('revoked', 'its key (p=) is empty');
	if (!mayBeUsedForMail(tags.get('s'))) return is('malformed', 'it is not meant for email (s=)');
	const lengthOf = Object.hasOwn(LENGTHS, kind) ? LENGTHS[kind] : undefined;
	if (lengthOf === undefined)
		return is('malformed', `receivers know no keys of kind ${kind.slice(0, 20)}`);
	const bits = BASE64.test(data) ? lengthOf(Buffer.from(data, 'base64')) : undefined;
	if (bits === undefined) return is('malformed', 'its key (p=) is damaged');
	if (kind === 'rsa' && bits < SHORTEST_RSA) return is('tooShort', `its key has ${bits} bits`);
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
