import { readEmail } from '../../../support/reading';

const warningOf = async (contentType: string, body = 'x') => {
	const raw = `From: ada@example.org\r\nContent-Type: ${contentType}\r\n\r\n${body}`;
	return (await readEmail(raw)).email.warning;
};

const parts = (...all: string[]) => [...all.map((part) => `--b\r\n${part}\r\n`), '--b--'].join('');

test.each([
	['application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', /encrypted \(S\/MIME\)/],
	['application/x-pkcs7-mime; smime-type=AuthEnveloped-Data', /encrypted \(S\/MIME\)/],
	['application/pkcs7-mime; smime-type=signed-data', /signed as a whole/],
	['application/pkcs7-mime; name=smime.p7m', /encrypted or signed/],
])('an email of the type %s says why it has no text', async (contentType, says) => {
	expect(await warningOf(contentType)).toMatch(says);
});

test.each([
	[
		'PGP/MIME',
		'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
		parts('Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1'),
	],
	['an armoured text', 'text/plain', '-----BEGIN PGP MESSAGE-----\r\n\r\nabc'],
])('an email that is encrypted with OpenPGP says so: %s', async (_, contentType, body) => {
	expect(await warningOf(contentType, body)).toMatch(/encrypted \(OpenPGP\)/);
});

const SIGNED = 'Content-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nx';
const FORWARDED = 'Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nx';

test.each([
	['a signature beside the text', 'multipart/signed; boundary=b', parts('\r\nHello', SIGNED)],
	['an encrypted file beside a text', 'multipart/mixed; boundary=b', parts('\r\nHello', FORWARDED)],
	['a quoted armoured text', 'text/plain', '> -----BEGIN PGP MESSAGE-----\r\n> abc'],
])('nothing is said about %s', async (_, contentType, body) => {
	expect(await warningOf(contentType, body)).toBeUndefined();
});
