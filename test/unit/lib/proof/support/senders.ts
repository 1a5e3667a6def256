import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { checkSender, type SenderCheckOptions } from '../../../../../lib/proof/checkSender';
import {
	openEmail,
	splitEmail,
	type EmailText,
	type ReadEmailOptions,
} from '../../../../../lib/email';
import { EMAIL_LIMITS, type EmailLimits } from '../../../../../lib/email/limits';
import { createZoneResolver, type Zones } from '../../dns/support/zoneResolver';

/** When everything here happens. */
export const NOW = new Date('2026-11-21T10:00:00Z');
export const SECONDS = Math.floor(NOW.getTime() / 1000);

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;

/** Made once for a test file. */
export const KEYS = {
	rsa: rsa(2048),
	other: rsa(2048),
	ed25519: generateKeyPairSync('ed25519').privateKey,
	short: rsa(1016),
};

/** A key as it stands in the DNS, without the tags before it. */
export function publicKey(key: KeyObject): string {
	const bytes = createPublicKey(key).export({ type: 'spki', format: 'der' });
	return bytes.subarray(key.asymmetricKeyType === 'ed25519' ? -32 : 0).toString('base64');
}

export const keyRecord = (key: KeyObject, tags = '') =>
	`v=DKIM1; k=${key.asymmetricKeyType}; ${tags}p=${publicKey(key)}`;

export const KEY_NAME = 'test._domainkey.example.com';

export const keyAt = (name: string, key: KeyObject): Zones => ({
	[name]: { TXT: [keyRecord(key)] },
});

/** Two domains that have nothing to do with each other, and one on which anybody may have a name. */
export const ZONES: Zones = {
	...keyAt(KEY_NAME, KEYS.rsa),
	...keyAt('test._domainkey.news.example.com', KEYS.rsa),
	...keyAt('test._domainkey.attacker.example', KEYS.other),
	...keyAt('test._domainkey.co.uk', KEYS.other),
	'_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.com'] },
};

export const HEADER = [
	'From: Ada <ada@example.com>',
	'To: Sales <sales@example.test>',
	'Subject: Please pay 100',
	'Date: Sat, 21 Nov 2026 09:00:00 +0000',
	'Message-ID: <pay@example.com>',
	'MIME-Version: 1.0',
	'Content-Type: text/plain; charset=utf-8',
];

export const BODY = 'Please pay 100 to Ada.\r\n\r\nAda\r\n';

export const EMAIL = emailOf(HEADER);

export function emailOf(header: readonly string[], body = BODY): string {
	return `${header.join('\r\n')}\r\n\r\n${body}`;
}

export const above = (...lines: string[]) => lines.join('\r\n');

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
export function signed(email = EMAIL, options: SignOptions = {}): string {
	const { key = KEYS.rsa, domain = 'example.com', selector = 'test' } = options;
	const { canonicalization = 'relaxed/relaxed', write = (tags: string) => tags } = options;
	const { fields = ['From', 'To', 'Subject', 'Date', 'Message-ID'] } = options;
	const [ofHeader, ofBody] = canonicalization.split('/') as [Canonicalization, Canonicalization];
	const end = email.indexOf('\r\n\r\n');
	const body = Buffer.from(canonicalBody(email.slice(end + 4), ofBody));
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

export async function check(
	rawEmail: string,
	zones: Zones = ZONES,
	options: Partial<SenderCheckOptions> = {},
	limits: Partial<EmailLimits> = {},
) {
	const email = splitEmail(rawEmail, { ...EMAIL_LIMITS, ...limits });
	const resolver = createZoneResolver(zones);
	const pause = async () => {};
	const open = async (signed: EmailText) => await openEmail(signed, { pause });
	const usual = { resolver, trustedServers: [], pause, open, now: NOW };
	return await checkSender(email, { ...usual, ...options });
}

export const authenticate = async (...parameters: Parameters<typeof check>) =>
	(await check(...parameters)).authentication;

/** The output of an email if its sender is proved, with the contents of its files; undefined otherwise. */
export async function shownIfProved(
	rawEmail: string,
	zones: Zones = ZONES,
	options: Partial<ReadEmailOptions> = {},
) {
	const { email: opened } = await check(rawEmail, zones);
	if (opened === undefined) return undefined;
	const usual = { attachments: true, headers: false, binaryPrefix: '' };
	const { email, files } = await opened.read({ ...usual, ...options });
	return { email, files: files.map((file) => file.content.toString('latin1')) };
}
