import { type ContentHeader, decodeBody, type EmailText, readContentHeader } from '../email';
import type { ProofLimits } from './limits';
import { encodingOfBody, fileType } from './encodedBody';
import { readMultipart } from './multipartBody';

const CONTENT_FIELD = /^content-(?:type|transfer-encoding|disposition|id)$/;

/**
 * How the body is read, from signed bytes alone: by the content fields that a signature covers, and in place of the others
 * by the body itself. Otherwise anyone could change a field that nobody signed, so that a signed body shows other words.
 *
 * @param email with single spaces, because relaxed signatures do not cover their number
 * @param isCovered whether a signature covers all fields of this name, or that there is none
 */
export function signedContent(
	{ fields, body }: EmailText,
	isCovered: (name: string) => boolean,
	limits: ProofLimits,
): ContentHeader | undefined {
	const signed = fields.filter(({ name }) => !CONTENT_FIELD.test(name) || isCovered(name));
	const content = readContentHeader(signed, 'text/plain');
	const isTypeCovered = isCovered('content-type');
	const multipart = isTypeCovered ? undefined : readMultipart(body, limits);
	if (multipart === 'ambiguous') return undefined;
	if (multipart) return { ...content, ...multipart };
	const encoding = isCovered('content-transfer-encoding')
		? content.encoding
		: encodingOfBody(body, isTypeCovered ? content : {});
	if (encoding === undefined) return undefined;
	return isTypeCovered ? { ...content, encoding } : readSinglePart(body, { ...content, encoding });
}

/** By the header, without what the body cannot show, and the output does not: the exact type of a file, and its name. */
export function comparableContent(byHeader: ContentHeader, signed: ContentHeader): ContentHeader {
	const areFiles = [byHeader, signed].every(({ type }) => !TEXT_OR_MULTIPART.test(type));
	const { type, flowed, fileName, contentId } = signed;
	return { ...byHeader, flowed, fileName, contentId, ...(areFiles && { type }) };
}

const TEXT_OR_MULTIPART = /^(?:multipart\/|text\/(?:plain|html)$)/;

const HTML =
	/^(?:<!doctype[\s>]|<!--|<\?xml|<(?:html|head|body|meta|title|style|center|table|div|span|p|br|font|b|strong|i|em|u|a|img|h[1-6]|ul|ol|pre|blockquote|section)[\s>/])/i;

/** Escapes of ISO-2022-JP (RFC 1468). */
const JAPANESE = ['\x1b$@', '\x1b$B'];

/** Characters. An HTML text has few blank lines above it. */
const MAX_START = 10_000;

function readSinglePart(body: string, content: ContentHeader): ContentHeader | undefined {
	const bytes = decodeBody(body, content.encoding);
	const type = fileType(bytes);
	if (type !== undefined) return { ...content, type };
	const text = bytes.toString();
	// Bytes that are not UTF-8, not replacement characters that the sender wrote.
	if (text.includes('\ufffd') && !Buffer.from(text).equals(bytes)) return undefined;
	const charset = JAPANESE.some((escape) => text.includes(escape)) ? 'iso-2022-jp' : 'utf-8';
	const start = text.slice(0, MAX_START).replace(/^[\ufeff\s]+/, '');
	if (/^BEGIN:VCALENDAR\r?\n/i.test(start)) return { ...content, charset, type: 'text/calendar' };
	return { ...content, charset, type: HTML.test(start) ? 'text/html' : 'text/plain' };
}
