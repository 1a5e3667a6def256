import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

import { checkSender, type SenderCheckOptions } from '../../../../nodes/EmailIdentity/dns/senders';
import { createZoneResolver, type Zones } from '../zoneResolver';
import { handSign, type SignOptions } from './handSigner';

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
	const publicKey = createPublicKey(key);
	if (key.asymmetricKeyType === 'ed25519') {
		return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
	}
	return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

export const keyRecord = (key: KeyObject, tags = '') =>
	`v=DKIM1; k=${key.asymmetricKeyType}; ${tags}p=${publicKey(key)}`;

export const keyAt = (name: string, key: KeyObject, tags = ''): Zones => ({
	[name]: { TXT: [keyRecord(key, tags)] },
});

/** Two domains that have nothing to do with each other, and one on which anybody may have a name. */
export const ZONES: Zones = {
	...keyAt('test._domainkey.example.com', KEYS.rsa),
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

/** As example.com signs its mail. */
export const signed = (email = EMAIL, options: Partial<SignOptions> = {}) =>
	handSign(email, { key: KEYS.rsa, ...options });

export async function check(
	rawEmail: string | undefined,
	zones: Zones = ZONES,
	options: Partial<SenderCheckOptions> = {},
) {
	const resolver = createZoneResolver(zones);
	return await checkSender(rawEmail, {
		resolver,
		trustedServers: [],
		pause: async () => {},
		now: NOW,
		...options,
	});
}

export const authenticate = async (...parameters: Parameters<typeof check>) =>
	(await check(...parameters)).authentication;
