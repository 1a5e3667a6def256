import { decodeCharset, decodeUtf8, isReadable } from './charsets';

/** Characters in which the charset of the first text is searched. Headers are at the beginning. */
const SEARCHED_FOR_CHARSET = 100_000;

const CHARSET = /charset\s*=[\s"']*([\w.:+-]{2,40})/i;

const UTF8 = /^utf-?8$/i;

const lossyUtf8 = new TextDecoder('utf-8');

export interface RawEmailFile {
	/** The email as a service hands it over: decoded as UTF-8, with U+FFFD for bytes that are not UTF-8. */
	asSent: string;
	/** The email to read. It differs from `asSent` only if the file is not UTF-8: then its letters are not lost. */
	readable: string;
}

/**
 * Decodes the bytes of a raw email, such as an .eml file.
 *
 * A file with 8-bit text in another charset than UTF-8 (RFC 6152) is decoded with the charset that it names first, or
 * else as Windows-1252.
 */
export function decodeRawEmail(bytes: Buffer): RawEmailFile {
	const utf8 = decodeUtf8(bytes);
	if (utf8 !== undefined) return { asSent: utf8, readable: utf8 };
	const start = bytes.toString('latin1', 0, SEARCHED_FOR_CHARSET);
	const [, named] = CHARSET.exec(start) ?? [];
	return {
		asSent: lossyUtf8.decode(bytes),
		readable: decodeCharset(bytes, eightBitCharset(named)),
	};
}

/** The charset if it can be that of 8-bit text that is not UTF-8. */
function eightBitCharset(named: string | undefined): string | undefined {
	if (named === undefined || UTF8.test(named) || !isReadable(named)) return undefined;
	return named;
}
