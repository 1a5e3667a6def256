import { type ContentHeader, decodeBody, decodeCharset, nextLine } from '../email';

/**
 * Judged by what encoders write (RFC 2045, 6).
 *
 * @param content the type and charset, if they are signed
 * @returns undefined if the body looks encoded, but is neither text nor a known file when decoded
 */
export function encodingOfBody(
	body: string,
	{ type = 'text/', charset = 'utf-8' }: Partial<ContentHeader>,
): ContentHeader['encoding'] | undefined {
	if (type.startsWith('multipart/')) return 'none';
	const encoding = isBase64(body)
		? 'base64'
		: isQuotedPrintable(body)
			? 'quoted-printable'
			: undefined;
	if (encoding === undefined) return 'none';
	const bytes = decodeBody(body, encoding);
	const isReadable =
		!type.startsWith('text/') || fileType(bytes) !== undefined || isText(bytes, charset);
	return isReadable ? encoding : undefined;
}

/** Digits. Fewer could be a word. */
const MIN_BASE64 = 24;

function isBase64(body: string): boolean {
	const text = body.trimEnd();
	const padding = text.indexOf('=');
	const isPadded = /^={1,2}$/.test(text.slice(padding, padding + 3));
	if (text === '' || (padding >= 0 && !isPadded) || /[^A-Za-z0-9+/\n=]/.test(text)) return false;
	const length = nextLine(`${text}\n`, 0) - 1;
	let start = 0;
	for (; text.length - start > length; start += length + 1) {
		if (text[start + length] !== '\n' || length % 4 !== 0) return false;
	}
	const last = text.slice(start);
	if (last.length % 4 !== 0 || last.includes('\n')) return false;
	return isPadded || text.length >= MIN_BASE64 || isText(Buffer.from(text, 'base64'), 'utf-8');
}

/**
 * An equals sign that is no escape, or an escape that no encoder writes: of control characters, of letters and digits, but
 * for an F at the start of a line, and of blanks that other characters follow.
 */
const NOT_QUOTED_PRINTABLE = new RegExp(
	[
		'=(?![\\dA-F]{2}|[\\da-f]{2}|\\n)',
		'=(?:0[0-8BEF]|1[\\dACDEF]|7F)',
		'=(?:3\\d|4[1-57-9A-F]|5[\\dA]|6[1-9A-F]|7[\\dA])|(?<!^)=46',
		'=(?:20|09)(?!=?(?:\\n|$)|=20|=09)',
	].join('|'),
	'm',
);

function isQuotedPrintable(body: string): boolean {
	return body.includes('=') && !NOT_QUOTED_PRINTABLE.test(body);
}

/** The first bytes of files, in Latin-1. */
const FILES: ReadonlyArray<[start: string, type: string]> = [
	['%PDF-', 'application/pdf'],
	['PK\x03\x04', 'application/zip'],
	['\x1f\x8b', 'application/gzip'],
	['\x89PNG\r\n', 'image/png'],
	['\xff\xd8\xff', 'image/jpeg'],
	['GIF8', 'image/gif'],
];

export function fileType(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 8);
	return FILES.find(([first]) => start.startsWith(first))?.[1];
}

/** Escapes, which ISO-2022 uses, are removed before. */
const NOT_TEXT = /[^\P{Cc}\t\n\f\r]|\ufffd/u;

/** Bytes. Decoding rare charsets takes long, and the beginning shows whether it is text. */
const MAX_JUDGED = 50_000;

const MAX_CUT = 4;

function isText(bytes: Buffer, charset: string): boolean {
	const text = decodeCharset(bytes.subarray(0, MAX_JUDGED), charset).replaceAll('\x1b', '');
	return !NOT_TEXT.test(bytes.length > MAX_JUDGED ? text.slice(0, -MAX_CUT) : text);
}
