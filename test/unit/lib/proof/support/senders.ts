import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { checkSender, type SenderCheckOptions } from '../../../../../lib/proof/checkSender';
import {
	openEmail,
	splitEmail,
	type EmailText,
	type ReadEmailOptions,
} from '../../../../../lib/email';
import type { EmailLimits } from '../../../../../lib/email/limits';
import { createZoneResolver, type Zones } from '../../dns/support/zoneResolver';
import { signedWith, type SignOptions } from './signing';

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

export { CANONICALIZATIONS, type Canonicalizations, type SignOptions } from './signing';

export const signed = (email = EMAIL, options: SignOptions = {}): string =>
	signedWith(options.key ?? KEYS.rsa, email, options);

export async function check(
	rawEmail: string,
	zones: Zones = ZONES,
	options: Partial<SenderCheckOptions> = {},
	limits: Partial<EmailLimits> = {},
) {
	const email = splitEmail(rawEmail, limits);
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
