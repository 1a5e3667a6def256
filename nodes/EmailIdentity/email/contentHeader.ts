import { decodeWords } from './encodedWords';
import { firstValue } from './headerFields';
import type { HeaderField } from './headerFields';
import { readStructured, withoutComments } from './mimeParameters';
import type { TransferEncoding } from './transferEncoding';

/** What the `Content-…` fields of a part say about its body (RFC 2045, 2046, 2183, 3676). */
export interface ContentHeader {
	/** Lower case, such as `multipart/mixed`. */
	type: string;
	/** Of a container that names one. */
	boundary: string | undefined;
	charset: string | undefined;
	/** The lines of paragraphs are put together again (RFC 3676); `delSp` drops the blank where they were cut. */
	flowed: { delSp: boolean } | undefined;
	encoding: TransferEncoding;
	/** Lower case, `''` when there is none. */
	disposition: string;
	/** With its angle brackets, as written. */
	contentId: string | undefined;
	/** As the sender wrote it: nothing to save a file under. */
	fileName: string | null;
}

const LACKS_SEMICOLON = /^([\w.+-]+\/[\w.+-]+)[ \t]+(?=[\w-]+=)/;

/**
 * @param fields the part's header
 * @param defaultType what the part is when it does not say so itself
 */
export function readContentHeader(fields: HeaderField[], defaultType: string): ContentHeader {
	const contentType = firstValue(fields, 'content-type');
	const { value: type, parameters } = readStructured(
		contentType === undefined ? defaultType : mendType(contentType),
	);
	const disposition = readStructured(firstValue(fields, 'content-disposition') ?? '');
	const fileName = disposition.parameters.get('filename') || parameters.get('name') || null;
	const flowed = parameters.get('format')?.toLowerCase() === 'flowed';
	return {
		type,
		boundary: (type.startsWith('multipart/') && parameters.get('boundary')) || undefined,
		charset: parameters.get('charset'),
		flowed: flowed ? { delSp: parameters.get('delsp')?.toLowerCase() === 'yes' } : undefined,
		encoding: readEncoding(firstValue(fields, 'content-transfer-encoding') ?? ''),
		disposition: disposition.value,
		contentId: firstValue(fields, 'content-id') || undefined,
		fileName: fileName === null ? null : decodeWords(fileName),
	};
}

/**
 * A type that is none counts as plain text (RFC 2045, 5.2): some old programs write just `text`. Others leave out the
 * first semicolon.
 */
function mendType(contentType: string): string {
	return /^[\w-]*$/.test(contentType.split(';', 1)[0]?.trim() ?? '')
		? 'text/plain'
		: contentType.replace(LACKS_SEMICOLON, '$1; ');
}

function readEncoding(value: string): TransferEncoding {
	const encoding = /[\w-]+/.exec(withoutComments(value).toLowerCase())?.[0] ?? '';
	if (encoding.includes('base64')) return 'base64';
	return encoding.includes('quoted-printable') ? 'quoted-printable' : 'none';
}
