export type TransferEncoding = 'base64' | 'quoted-printable' | 'none';

/** The few header fields of a part that say where it ends and how its body is written (RFC 2045, 2046, 2183). */
export interface PartHeader {
	/** Lower case, such as `multipart/mixed`. */
	type: string;
	/** Of a container that names one. */
	boundary: string | undefined;
	encoding: TransferEncoding;
	/** Lower case, `''` when there is none. */
	disposition: string;
	hasContentId: boolean;
	/** What the content type should have said, when it is no type at all or lacks its first semicolon. */
	mendedType: string | undefined;
	/** False when the content type is written so that only the MIME library should read it. */
	certain: boolean;
}

// The first of several counts, and only blanks and tabs continue a line: as in the MIME library.
// A name on its own is a header too, without a value.
const FIELDS =
	/\n(content-(?:type|transfer-encoding|disposition|id))[ \t]*(?::([^\n]*(?:\n[ \t][^\n]*)*)|\r*(?=\n|$))/gi;

const PLAIN_TYPE = /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[ \t]*(?:;|$)/;
const LACKS_SEMICOLON = /^([\w.+-]+\/[\w.+-]+)[ \t]+(?=[\w-]+=)/;
const PLAIN_PARAMETER = /;[ \t]*([\w-]+)=(?:"([^"\\]*)"|([^\s;"()\\]+))[ \t]*/y;

/**
 * @param text the part's header with its line breaks.
 * @param defaultType what the part is when it does not say so itself.
 */
export function readPartHeader(text: string, defaultType: string): PartHeader {
	const fields = readFields(text);
	const written = fields.get('content-type');
	const mendedType = written === undefined ? undefined : mendType(written);
	const contentType = mendedType ?? written ?? defaultType;
	const type = PLAIN_TYPE.exec(contentType)?.[1]?.toLowerCase();
	const isContainer = type?.startsWith('multipart/') ?? false;
	const boundary = isContainer ? readBoundary(contentType) : undefined;
	return {
		type: type ?? '',
		boundary,
		encoding: readEncoding(fields.get('content-transfer-encoding') ?? ''),
		disposition:
			(fields.get('content-disposition') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
		mendedType,
		hasContentId: (fields.get('content-id') ?? '') !== '',
		certain: type !== undefined && (!isContainer || boundary !== undefined),
	};
}

/** A type that is none counts as plain text (RFC 2045, 5.2): some old programs write just `text`. */
function mendType(contentType: string): string | undefined {
	if (/^[\w-]*$/.test(contentType.split(';', 1)[0]?.trim() ?? '')) return 'text/plain';
	return LACKS_SEMICOLON.test(contentType)
		? contentType.replace(LACKS_SEMICOLON, '$1; ')
		: undefined;
}

function readFields(text: string): Map<string, string> {
	const fields = new Map<string, string>();
	for (const [, name = '', value = ''] of `\n${text}`.matchAll(FIELDS)) {
		const key = name.toLowerCase();
		if (!fields.has(key)) fields.set(key, unfold(value));
	}
	return fields;
}

/** A line break followed by a blank goes on; a carriage return on its own counts as a blank. */
function unfold(value: string): string {
	return value.replace(/[\r\n]+/g, (breaks) => (breaks.endsWith('\n') ? '' : ' ')).trim();
}

/** Reads the parameters one after the other, so that a boundary within another one's quotes is not taken for it. */
function readBoundary(contentType: string): string | undefined {
	PLAIN_PARAMETER.lastIndex = contentType.indexOf(';');
	let boundary: string | undefined;
	let end = PLAIN_PARAMETER.lastIndex;
	if (end < 0) return undefined;
	for (
		let match = PLAIN_PARAMETER.exec(contentType);
		match;
		match = PLAIN_PARAMETER.exec(contentType)
	) {
		if (match[1]?.toLowerCase() === 'boundary') boundary ??= match[2] ?? match[3];
		end = PLAIN_PARAMETER.lastIndex;
	}
	const nothingLeft = /^[; \t]*$/.test(contentType.slice(end));
	return nothingLeft && boundary ? boundary : undefined;
}

function readEncoding(value: string): TransferEncoding {
	const encoding = value.toLowerCase();
	if (encoding.includes('base64')) return 'base64';
	return encoding.includes('quoted-printable') ? 'quoted-printable' : 'none';
}
