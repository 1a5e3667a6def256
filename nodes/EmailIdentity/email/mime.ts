import PostalMime, { addressParser, decodeWords } from 'postal-mime';
import type { Address, Attachment, Email as MimeMail } from 'postal-mime';

/**
 * The only file that knows the MIME library. It is loaded when the first email arrives
 * (`import('./mime')`), so that a node which never reads mail never pays for it.
 */
export type { Address, Attachment, MimeMail };
export { decodeWords };

// Reading addresses takes microseconds a character; a thousand recipients fit many times.
const MOST_HEADER_BYTES = 500_000;

/**
 * Parses one email. Messages within it stay files: they would otherwise be mixed into its own text.
 *
 * @param rawEmail RFC 5322 text.
 * @throws Error when the parts are nested or the headers are long beyond the library's limits.
 */
export function parseMime(rawEmail: string): Promise<MimeMail> {
	return PostalMime.parse(rawEmail, {
		forceRfc822Attachments: true,
		maxHeadersSize: MOST_HEADER_BYTES,
	});
}

/** Mailboxes of an address header's value, groups replaced by their members (RFC 5322, 3.4). */
export function parseAddresses(value: string): Address[] {
	return addressParser(value, { flatten: true });
}

/**
 * What an HTML body says, as text. The library writes the text of an HTML part wherever an email
 * has plain text as well, so it is handed such an email.
 */
export async function htmlAsText(html: string): Promise<string> {
	const content = Buffer.from(html).toString('base64');
	const mail = await PostalMime.parse(
		[
			'Content-Type: multipart/mixed; boundary=part',
			'',
			'--part',
			'Content-Type: text/plain',
			'',
			'--part',
			'Content-Type: text/html; charset=utf-8',
			'Content-Transfer-Encoding: base64',
			'',
			content,
			'--part--',
		].join('\n'),
	);
	return (mail.text ?? '').trim();
}
