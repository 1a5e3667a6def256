import { decodeMixed } from './charsets';
import { decodeWords, endOfComment, firstValue } from './headerFields';
import { EMAIL_LIMITS } from '../limits';
import type { HeaderField } from './splitEmail';
import type { TransferEncoding } from './transferEncoding';

/** The `Content-…` fields of a part (RFC 2045, 2046, 2183, 3676). */
export interface ContentHeader {
	/** Lower case, such as `multipart/mixed`. */
	type: string;
	boundary: string | undefined;
	charset: string | undefined;
	/** The lines of a paragraph are joined (RFC 3676). `delSp` drops the space at the break. */
	flowed: { delSp: boolean } | undefined;
	encoding: TransferEncoding;
	/** Lower case, `''` when there is none. */
	disposition: string;
	/** With its angle brackets, as written. */
	contentId: string | undefined;
	/** The address by which the HTML may refer to this part (RFC 2557, 4.2), as written. */
	location: string | undefined;
	/** The address to which those in this part are relative (RFC 2110, 4.2), as written. */
	base: string | undefined;
	/** As written by the sender: not safe as a file name. */
	fileName: string | null;
}

/** A section of a parameter (RFC 2231, 3 and 4): its name, its number, and an asterisk if it is percent-encoded. */
const SECTION = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;

const LACKS_SEMICOLON = /^([\w.+-]+\/[\w.+-]+)[ \t]+(?=[\w-]+=)/;

export function readContentHeader(
	fields: readonly HeaderField[],
	defaultType: string,
): ContentHeader {
	const contentType = firstValue(fields, 'content-type') ?? defaultType;
	const { value, parameters } = readStructured(contentType.replace(LACKS_SEMICOLON, '$1; '));
	const disposition = readStructured(firstValue(fields, 'content-disposition') ?? '');
	const fileName = disposition.parameters.get('filename') || parameters.get('name') || null;
	const type = value.includes('/') ? value : repairType(value, fileName);
	const flowed = parameters.get('format')?.toLowerCase() === 'flowed';
	return {
		type,
		boundary: (type.startsWith('multipart/') && parameters.get('boundary')) || undefined,
		charset: parameters.get('charset'),
		flowed: flowed ? { delSp: parameters.get('delsp')?.toLowerCase() === 'yes' } : undefined,
		encoding: readEncoding(firstValue(fields, 'content-transfer-encoding') ?? ''),
		disposition: disposition.value,
		contentId: firstValue(fields, 'content-id') || undefined,
		location: firstValue(fields, 'content-location') || undefined,
		base: firstValue(fields, 'content-base') || undefined,
		fileName: fileName === null ? null : decodeWords(fileName),
	};
}

/** An invalid type counts as plain text (RFC 2045, 5.2), except for a part with a file name. */
function repairType(broken: string, fileName: string | null): string {
	if (fileName !== null) return 'application/octet-stream';
	return /\bhtml\b/.test(broken) ? 'text/html' : 'text/plain';
}

function readEncoding(value: string): TransferEncoding {
	const [written = ''] = /[\w-]+/.exec(value.toLowerCase()) ?? [];
	if (written.includes('base64')) return 'base64';
	if (written.includes('quoted-printable')) return 'quoted-printable';
	return /^(?:x-)?uu(?:e|encode)?$/.test(written) ? 'uuencode' : 'none';
}

/**
 * Reads a value with parameters, such as `text/plain; charset=utf-8` (RFC 2045, 5.1), character by character, so that quoted
 * text is not read as a parameter. If a parameter is repeated, the first one counts.
 */
export function readStructured(header: string) {
	const parameters = new Map<string, string>();
	let value: string | undefined;
	let name: string | undefined;
	let text = '';
	let blanks = '';
	let quote: 'none' | 'open' | 'closed' = 'none';
	let mayHaveComments = true;
	const add = (character: string) => {
		text += text === '' ? character : `${blanks}${character}`;
		blanks = '';
	};
	const end = () => {
		const key = (name ?? text).trim().toLowerCase();
		if (value === undefined) value = text.toLowerCase();
		else if (key !== '' && !parameters.has(key) && parameters.size < EMAIL_LIMITS.parameters)
			parameters.set(key, name === undefined ? '' : text);
		name = undefined;
		text = '';
		blanks = '';
		quote = 'none';
	};
	for (let index = 0; index < header.length; index++) {
		const character = header[index] as string;
		if (quote === 'open') {
			const isEscape = character === '\\' && /["\\]/.test(header[index + 1] ?? '');
			if (character === '"') quote = 'closed';
			else add(isEscape ? header.charAt(++index) : character);
		} else if (character === '(' && mayHaveComments && mayBeComment(name, header[index - 1])) {
			const next = endOfComment(header, index);
			mayHaveComments = next !== undefined;
			if (next === undefined) add(character);
			else index = next - 1;
		} else if (character === ';') {
			end();
		} else if (character === '=' && name === undefined && value !== undefined) {
			name = text;
			text = '';
			blanks = '';
		} else if (character === '"') {
			quote = 'open';
		} else if (character === ' ' || character === '\t') {
			blanks += character;
		} else if (quote === 'none') {
			add(character);
		}
	}
	end();
	return { value: value ?? '', parameters: joinSections(parameters) };
}

/** Parentheses in a parameter's value or a file name are not comments. */
function mayBeComment(parameter: string | undefined, before = ' '): boolean {
	if (parameter === undefined) return true;
	return !/^\s*(?:file)?name\b/i.test(parameter) && (before === ' ' || before === '\t');
}

/** Joins the sections of RFC 2231: `filename*0*=utf-8''a%20; filename*1=b`. */
function joinSections(parameters: Map<string, string>): Map<string, string> {
	const whole = new Map<string, string>();
	const cut = new Map<string, Array<{ number: number; value: string }>>();
	for (const [key, value] of parameters) {
		const [, name, number, star] = SECTION.exec(key) ?? [];
		if (name === undefined) {
			whole.set(key, value);
			continue;
		}
		const sections = cut.get(name) ?? [];
		const isEncoded = number === undefined || star !== undefined;
		const encoded = isEncoded ? value : value.replaceAll('%', '%25').replaceAll("'", '%27');
		sections.push({ number: Number(number ?? 0), value: encoded });
		cut.set(name, sections);
	}
	for (const [name, sections] of cut) {
		sections.sort((one, other) => one.number - other.number);
		whole.set(name, decodeParameter(sections.map(({ value }) => value).join('')));
	}
	return whole;
}

/** Decodes all sections together, because a character may be split. The first section names the charset. */
function decodeParameter(text: string): string {
	const [start = '', charset] = /^([^']*)'[^']*'/.exec(text) ?? [];
	const escaped = text.slice(start.length).replaceAll('=', '=3D');
	return decodeMixed(escaped.replace(/%(?=[0-9a-f]{2})/gi, '='), 'quoted-printable', charset);
}
