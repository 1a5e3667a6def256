import { createHash, sign, type KeyObject } from 'node:crypto';

import { toBytes } from '../../../../../lib/email';

type Canonicalization = 'relaxed' | 'simple';

/** Of header and body (c=). */
export const CANONICALIZATIONS = [
	'simple/simple',
	'simple/relaxed',
	'relaxed/simple',
	'relaxed/relaxed',
] as const;
export type Canonicalizations = (typeof CANONICALIZATIONS)[number];

/** What a signer that does not keep to the standard may do, too. */
export interface SignOptions {
	key?: KeyObject;
	domain?: string;
	selector?: string;
	canonicalization?: Canonicalizations;
	/** The fields that are signed (h=). */
	fields?: string[];
	/** Further tags, or others in place of the usual ones; undefined leaves one out. */
	tags?: Record<string, string | undefined>;
	/** Changes the list of tags before it is signed. */
	write?(tags: string): string;
	/** How much of the body is hashed. */
	length?: number;
}

/** Signs by the letter of RFC 6376, as example.com: whatever is wrong with a signature, its hashes are right. */
export function signedWith(key: KeyObject, email: string, options: SignOptions = {}): string {
	const { domain = 'example.com', selector = 'test' } = options;
	const { canonicalization = 'relaxed/relaxed', write = (tags: string) => tags } = options;
	const { fields = ['From', 'To', 'Subject', 'Date', 'Message-ID'] } = options;
	const [ofHeader, ofBody] = canonicalization.split('/') as [Canonicalization, Canonicalization];
	const end = email.indexOf('\r\n\r\n');
	const body = toBytes(canonicalBody(email.slice(end + 4), ofBody));
	const isEd25519 = key.asymmetricKeyType === 'ed25519';
	const hash = options.tags?.a?.endsWith('sha1') ? 'sha1' : 'sha256';
	const tags: Record<string, string | undefined> = {
		v: '1',
		a: isEd25519 ? 'ed25519-sha256' : 'rsa-sha256',
		c: canonicalization,
		d: domain,
		s: selector,
		h: fields.join(':'),
		bh: createHash(hash).update(body.subarray(0, options.length)).digest('base64'),
		...options.tags,
	};
	const written = Object.entries(tags).filter(([, value]) => value !== undefined);
	const unsigned = `DKIM-Signature: ${write(written.map((tag) => tag.join('=')).join('; '))}; b=`;
	const header = email.slice(0, end).split(/\r\n(?![ \t])/);
	const data = [...pick(header, fields), unsigned]
		.map((field) => canonicalField(field, ofHeader))
		.join('\r\n');
	const signature = isEd25519
		? sign(null, createHash('sha256').update(data).digest(), key)
		: sign(hash, Buffer.from(data), key);
	return `${unsigned}${signature.toString('base64')}\r\n${email}`;
}

const nameOf = (field: string) => (field.split(':', 1)[0] ?? '').trim().toLowerCase();

/** Each name takes the lowest field of that name that is left (RFC 6376, 5.4.2). */
function pick(header: string[], names: string[]): string[] {
	const left = [...header];
	return names.flatMap((name) => {
		const index = left.findLastIndex((field) => nameOf(field) === name.toLowerCase());
		return index < 0 ? [] : left.splice(index, 1);
	});
}

function canonicalField(field: string, how: Canonicalization): string {
	if (how === 'simple') return field;
	const value = field.slice(field.indexOf(':') + 1).replace(/\r\n/g, '');
	return `${nameOf(field)}:${value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')}`;
}

function canonicalBody(body: string, how: Canonicalization): string {
	const lines = body.split('\r\n');
	const written =
		how === 'simple' ? lines : lines.map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
	while (written.at(-1) === '') written.pop();
	if (written.length === 0) return how === 'simple' ? '\r\n' : '';
	return `${written.join('\r\n')}\r\n`;
}
