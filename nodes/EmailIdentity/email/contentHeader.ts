import { decodeCharset } from './charsets';
import {
	decodeWords,
	endOfComment,
	firstValue,
	withoutComments,
	type HeaderField,
} from './headerFields';
import { decodeBody, type TransferEncoding } from './transferEncoding';

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
	/** As the sender wrote it: not safe to save a file under. */
	fileName: string | null;
}

/** A value with parameters, such as `text/plain; charset=utf-8`. */
export interface Structured {
	/** Lower case. */
	value: string;
	/** By their names in lower case. */
	parameters: Map<string, string>;
}

// More than any honest part has, also where its file's name is cut to pieces.
const MAX_PARAMETERS = 1000;

/** A part of a parameter's value: its name, its number, and whether it is percent-encoded (RFC 2231, 3 and 4). */
const SECTION = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;

const LACKS_SEMICOLON = /^([\w.+-]+\/[\w.+-]+)[ \t]+(?=[\w-]+=)/;

const ENCODINGS: ReadonlyArray<[RegExp, TransferEncoding]> = [
	[/base64/, 'base64'],
	[/quoted-printable/, 'quoted-printable'],
	[/^(?:x-)?uu(?:e|encode)?$/, 'uuencode'],
];

/**
 * @param fields the part's header
 * @param defaultType what the part is when it does not say so itself
 */
export function readContentHeader(fields: HeaderField[], defaultType: string): ContentHeader {
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
		fileName: fileName === null ? null : decodeWords(fileName),
	};
}

/** A type that is none counts as plain text (RFC 2045, 5.2), but for what has a file's name. */
function repairType(broken: string, fileName: string | null): string {
	if (fileName !== null) return 'application/octet-stream';
	return /\bhtml\b/.test(broken) ? 'text/html' : 'text/plain';
}

function readEncoding(value: string): TransferEncoding {
	const written = /[\w-]+/.exec(withoutComments(value).toLowerCase())?.[0] ?? '';
	return ENCODINGS.find(([pattern]) => pattern.test(written))?.[1] ?? 'none';
}

/**
 * Reads a value with parameters (RFC 2045, 5.1), one character after the other, so that nothing within quotes is taken
 * for a parameter. The first of several parameters with the same name counts.
 */
export function readStructured(header: string): Structured {
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
		else if (key !== '' && !parameters.has(key) && parameters.size < MAX_PARAMETERS)
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

/** Round brackets within a parameter's value, and in a file's name, are no comments. */
function mayBeComment(parameter: string | undefined, before = ' '): boolean {
	if (parameter === undefined) return true;
	return !/^\s*(?:file)?name\b/i.test(parameter) && (before === ' ' || before === '\t');
}

/** Puts together what RFC 2231 cuts to pieces: `filename*0*=utf-8''a%20; filename*1=b`. */
function joinSections(parameters: Map<string, string>): Map<string, string> {
	const whole = new Map<string, string>();
	const cut = new Map<string, Array<{ number: number; value: string; isEncoded: boolean }>>();
	for (const [key, value] of parameters) {
		const [, name, number, star] = SECTION.exec(key) ?? [];
		if (name === undefined) {
			whole.set(key, value);
		} else {
			const isEncoded = number === undefined || star !== undefined;
			const section = { number: Number(number ?? 0), value, isEncoded };
			const known = cut.get(name);
			if (known) known.push(section);
			else cut.set(name, [section]);
		}
	}
	for (const [name, sections] of cut) {
		sections.sort((one, other) => one.number - other.number);
		whole.set(name, decodeSections(sections));
	}
	return whole;
}

/** Encoded sections that follow each other are decoded together: a character may be cut, too. */
function decodeSections(sections: Array<{ value: string; isEncoded: boolean }>): string {
	const [, charset, rest] =
		(sections[0]?.isEncoded && /^([^']*)'[^']*'([^]*)$/.exec(sections[0].value)) || [];
	let result = '';
	let encoded = '';
	const endEncoded = () => {
		if (encoded !== '') result += decodeCharset(percentDecoded(encoded), charset);
		encoded = '';
	};
	for (const [index, { value, isEncoded }] of sections.entries()) {
		if (isEncoded) {
			encoded += index === 0 ? (rest ?? value) : value;
		} else {
			endEncoded();
			result += value;
		}
	}
	endEncoded();
	return result;
}

function percentDecoded(text: string): Buffer {
	const escaped = text.replace(/=/g, '=3D').replace(/%(?=[0-9a-f]{2})/gi, '=');
	return decodeBody(escaped, 'quoted-printable');
}
