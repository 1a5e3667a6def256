import type { Zones } from '../zoneResolver';
import type { SignOptions } from './handSigner';
import {
	EMAIL,
	emailOf,
	HEADER,
	keyAt,
	keyRecord,
	KEYS,
	publicKey,
	SECONDS,
	signed,
	ZONES,
} from './senders';

/** An email with what the DNS says of its sender. */
export interface Attempt {
	name: string;
	rawEmail: string;
	zones: Zones;
}

const KEY_NAME = 'test._domainkey.example.com';

/** One of each kind that is judged by another piece of code. */
export function attempts(): Attempt[] {
	const email = (name: string, rawEmail: string, records?: string[]): Attempt => ({
		name,
		rawEmail,
		zones: records ? { ...ZONES, [KEY_NAME]: { TXT: records } } : ZONES,
	});
	const signing = (name: string, options: Partial<SignOptions>, records?: string[]) =>
		email(name, signed(EMAIL, options), records);
	const report = 'Authentication-Results: mx.example.test; dmarc=pass header.from=example.com';
	return [
		email('unsigned', EMAIL),
		signing('relaxed', {}),
		signing('simple', { canonicalization: 'simple/simple' }),
		{
			...signing('Ed25519', { key: KEYS.ed25519 }),
			zones: { ...ZONES, ...keyAt(KEY_NAME, KEYS.ed25519) },
		},
		email('changed', signed().replace('100 to Ada', '900 to Ada')),
		email('of LF', signed().replaceAll('\r\n', '\n')),
		email('of long lines', signed(emailOf(HEADER, `${'word  '.repeat(20_000)}\r\nx\r\n\r\n`))),
		signing('of another domain', { domain: 'attacker.example', key: KEYS.other }),
		signing('of a domain in other letters', { tags: { d: 'b\u00fccher.example' } }),
		signing('expired', { tags: { x: String(SECONDS - 1) } }),
		signing('with SHA-1', { tags: { a: 'rsa-sha1' } }),
		signing('with a short key', { key: KEYS.short }, [keyRecord(KEYS.short)]),
		signing('for a subdomain', { tags: { i: '@sales.example.com' } }, [
			keyRecord(KEYS.rsa, 't=s; '),
		]),
		signing('malformed', { write: (tags) => `${tags}; d=example.com` }),
		signing('with a key that is no base64', {}, [
			`v=DKIM1; p=${publicKey(KEYS.rsa).replace('A', '*')}`,
		]),
		signing('with a key that is none', {}, ['v=DKIM1; p=AAAA']),
		email('reported', `${report}\r\n${EMAIL}`),
		email(
			'with ARC',
			`ARC-Seal: i=1; a=rsa-sha256; cv=none; d=example.com; s=x; b=A\r\n${signed()}`,
		),
	];
}
