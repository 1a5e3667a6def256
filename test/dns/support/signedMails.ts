import { generateKeyPairSync } from 'node:crypto';

import { createTransport, type SendMailOptions } from 'nodemailer';

import type { Zones } from '../../unit/lib/dns/support/zoneResolver';

/** Who signs with what; its key is at `s1._domainkey` of its domain. */
interface Signer {
	domain: string;
	privateKey: string;
	/** The records that prove it. */
	zones: Zones;
}

const SELECTOR = 's1';

export function createSigner(domain: string): Signer {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
		publicKeyEncoding: { type: 'spki', format: 'der' },
	});
	const text = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
	return { domain, privateKey, zones: { [`${SELECTOR}._domainkey.${domain}`]: { TXT: [text] } } };
}

/**
 * A raw email as a mail program sends it.
 *
 * @param signer signs it; without one it is not signed
 */
export async function composeMail(mail: SendMailOptions, signer?: Signer): Promise<string> {
	const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	const { message } = await transport.sendMail({
		to: 'inbox@example.org',
		subject: 'Hello',
		text: 'Please pay invoice 42.',
		...mail,
		...(signer && {
			dkim: { domainName: signer.domain, keySelector: SELECTOR, privateKey: signer.privateKey },
		}),
	});
	return message.toString();
}

/** An event as the service delivers it. */
export const delivered = (id: string, rawEmail: string) => ({
	event: 'message.received',
	data: { message: { id, subject: 'Hello', deliveredTo: 'inbox@example.org' }, rawEmail },
});
