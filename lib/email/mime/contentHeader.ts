import { endOfMatch } from '../../basics';
import { EMAIL_LIMITS } from '../limits';
import { decodeMixed } from './charsets';
import { endOfComment } from './comments';
import { decodeWords } from './encodedWords';
import { firstValue, isSpaceOrTab, type HeaderField } from './headerFields';
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
	/** The kind of an S/MIME part (RFC 8551, 3.2.2), in lower case; `''` when there is none. */
	smimeType: string;
	/** As written by the sender: not safe as a file name. */
	fileName: string | null;
}

/** A section of a parameter (RFC 2231, 3 and 4): its name, its number, and an asterisk if it is percent-encoded. */
const SECTION = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;

/** @param defaultType of a part whose header names no type */
export function readContentHeader(
	fields: readonly HeaderField[],
	defaultType: string,
): ContentHeader {
	const contentType = firstValue(fields, 'content-type') ?? defaultType;
	const { value, parameters } = readStructured(contentType);
	const disposition = readStructured(firstValue(fields, 'content-disposition') ?? '');
	const fileName = disposition.parameters.get('filename') || parameters.get('name') || null;
	const type = value.includes('/') ? value : repairType(value, fileName);
	return {
		type,
		boundary: readBoundary(type, parameters),
		charset: parameters.get('charset'),
		flowed: readFlowed(parameters),
		encoding: readEncoding(firstValue(fields, 'content-transfer-encoding') ?? ''),
		disposition: disposition.value,
		contentId: firstValue(fields, 'content-id') || undefined,
		location: firstValue(fields, 'content-location') || undefined,
		base: firstValue(fields, 'content-base') || undefined,
		smimeType: parameters.get('smime-type')?.toLowerCase() ?? '',
		fileName: fileName && decodeWords(fileName),
	};
}

/** An invalid type counts as plain text (RFC 2045, 5.2), except for a part with a file name. */
function repairType(broken: string, fileName: string | null): string {
	if (fileName !== null) return 'application/octet-stream';
	return /\bhtml\b/.test(broken) ? 'text/html' : 'text/plain';
}

function readBoundary(type: string, parameters: ReadonlyMap<string, string>): string | undefined {
	if (!type.startsWith('multipart/')) return undefined;
	return parameters.get('boundary') || undefined;
}

function readFlowed(parameters: ReadonlyMap<string, string>): ContentHeader['flowed'] {
	if (parameters.get('format')?.toLowerCase() !== 'flowed') return undefined;
	return { delSp: parameters.get('delsp')?.toLowerCase() === 'yes' };
}

function readEncoding(value: string): TransferEncoding {
	const [written = ''] = /[\w-]+/.exec(value.toLowerCase()) ?? [];
	if (written.includes('base64')) return 'base64';
	if (written.includes('quoted-printable')) return 'quoted-printable';
	return /^(?:x-)?uu(?:e|encode)?$/.test(written) ? 'uuencode' : 'none';
}

/** A value with parameters, such as `text/plain; charset=utf-8` (RFC 2045, 5.1). */
export interface StructuredValue {
	/** Lower case. */
	value: string;
	/** By name in lower case; of repeated ones the first. */
	parameters: Map<string, string>;
}

export function readStructured(header: string): StructuredValue {
	return new StructuredReader(header).read();
}

/** Where parentheses are a comment (RFC 5322, 3.2.2): file names contain them, and values without a blank in front. */
type Comments = 'afterBlank' | 'anywhere' | 'nowhere';

/** Its unquoted value may contain blanks and equals signs. */
const NAME_PARAMETER = /^(?:file)?name\b/i;

/** The beginning of a parameter. Some programs leave out the semicolon before it, at least at the end of a line. */
const PARAMETER = /[\w*-]{1,100}=/y;

/** Blanks, a comment, a quoted text, or other characters. */
interface HeaderPiece {
	kind: 'blank' | 'comment' | 'quoted' | 'text';
	/** Without quotation marks; `''` for a comment. */
	text: string;
}

const BLANKS = /[ \t]+/y;

/** Characters that mean themselves, or any single one. */
const PLAIN_CHARACTERS = /[^ \t"(;=]+|[^]/y;

/** Reads piece by piece, in linear time, so that quoted text is not read as a parameter. */
class StructuredReader {
	private position = 0;

	/** False after a comment that does not end: others do not end either. */
	private mayHaveComments = true;

	constructor(private readonly header: string) {}

	read(): StructuredValue {
		const value = this.readText(';', 'anywhere', true).toLowerCase();
		const parameters = new Map<string, string>();
		while (this.position < this.header.length) {
			// The semicolon, or the blank where it is missing.
			this.position++;
			const written = this.readText(';=', 'anywhere').trim();
			const text = this.readParameterValue(written);
			const name = written.toLowerCase();
			const isFull = parameters.size >= EMAIL_LIMITS.parameters;
			if (name !== '' && !isFull && !parameters.has(name)) parameters.set(name, text);
		}
		return { value, parameters: joinSections(parameters) };
	}

	/** @returns `''` for a parameter without a value */
	private readParameterValue(name: string): string {
		if (this.header[this.position] !== '=') return '';
		this.position++;
		if (NAME_PARAMETER.test(name)) return this.readText(';', 'nowhere');
		return this.readText(';', 'afterBlank', true);
	}

	/**
	 * The text up to one of these characters, without comments and the blanks around it. What follows a quoted text is no part of
	 * it, except another quoted text.
	 *
	 * @param endsAtParameter also ends at a blank before a parameter, as any text does after a quoted one
	 */
	private readText(stops: string, comments: Comments, endsAtParameter = false): string {
		let text = '';
		let blanks = '';
		let isAfterQuoted = false;
		while (!this.isAtEnd(stops)) {
			const piece = this.readPiece(comments);
			const mayEnd = isAfterQuoted || (endsAtParameter && text !== '');
			if (piece.kind === 'blank' && mayEnd && this.isAt(PARAMETER)) {
				this.position--;
				return text;
			}
			if (piece.kind === 'blank') blanks += piece.text;
			if (piece.kind === 'blank' || piece.kind === 'comment') continue;
			if (piece.kind === 'text' && isAfterQuoted) continue;
			if (piece.kind === 'quoted') isAfterQuoted = true;
			if (piece.text === '') continue;
			text += text === '' ? piece.text : blanks + piece.text;
			blanks = '';
		}
		return text;
	}

	private isAtEnd(stops: string): boolean {
		return this.position >= this.header.length || stops.includes(this.header.charAt(this.position));
	}

	private readPiece(comments: Comments): HeaderPiece {
		const character = this.header.charAt(this.position);
		if (isSpaceOrTab(character)) return { kind: 'blank', text: this.take(BLANKS) };
		if (character === '"') return { kind: 'quoted', text: this.readQuoted() };
		if (character === '(' && this.mayBeComment(comments)) {
			const end = endOfComment(this.header, this.position);
			if (end !== undefined) {
				this.position = end;
				return { kind: 'comment', text: '' };
			}
			this.mayHaveComments = false;
		}
		return { kind: 'text', text: this.take(PLAIN_CHARACTERS) };
	}

	private mayBeComment(comments: Comments): boolean {
		if (comments === 'nowhere' || !this.mayHaveComments) return false;
		return comments === 'anywhere' || isSpaceOrTab(this.header.charAt(this.position - 1));
	}

	/** @param pattern with the flag `y` */
	private isAt(pattern: RegExp): boolean {
		return endOfMatch(pattern, this.header, this.position) !== undefined;
	}

	/** @param pattern with the flag `y`, which matches here */
	private take(pattern: RegExp): string {
		const start = this.position;
		this.position = endOfMatch(pattern, this.header, start) ?? start + 1;
		return this.header.slice(start, this.position);
	}

	/** A text without its quotation marks; the last one may be missing. A backslash counts only before these and another one. */
	private readQuoted(): string {
		let text = '';
		this.position++;
		while (!this.isAtEnd('"')) {
			if (this.header.charAt(this.position) === '\\') {
				const next = this.header.charAt(this.position + 1);
				if (next === '"' || next === '\\') this.position++;
			}
			text += this.header.charAt(this.position);
			this.position++;
		}
		this.position++;
		return text;
	}
}

/** A part of a parameter's value that was cut. */
interface ParameterSection {
	number: number;
	/** Percent-encoded. */
	encoded: string;
}

/** Joins the sections of RFC 2231: `filename*0*=utf-8''a%20; filename*1=b`. */
function joinSections(parameters: ReadonlyMap<string, string>): Map<string, string> {
	const whole = new Map<string, string>();
	const cut = new Map<string, ParameterSection[]>();
	for (const [key, value] of parameters) {
		const [, name, number, star] = SECTION.exec(key) ?? [];
		if (name === undefined) {
			whole.set(key, value);
			continue;
		}
		const isEncoded = number === undefined || star !== undefined;
		const encoded = isEncoded ? value : encodePercent(value);
		const sections = cut.get(name) ?? [];
		sections.push({ number: Number(number ?? 0), encoded });
		cut.set(name, sections);
	}
	for (const [name, sections] of cut) {
		sections.sort((one, other) => one.number - other.number);
		const encoded = sections.map((section) => section.encoded).join('');
		whole.set(name, decodeParameter(encoded));
	}
	return whole;
}

/** Escapes only what has a meaning in an encoded value. */
function encodePercent(value: string): string {
	return value.replaceAll('%', '%25').replaceAll("'", '%27');
}

/** Decodes all sections together, because a character may be split. The first section names the charset. */
function decodeParameter(text: string): string {
	const [start = '', charset] = /^([^']*)'[^']*'/.exec(text) ?? [];
	const escaped = text.slice(start.length).replaceAll('=', '=3D');
	return decodeMixed(escaped.replace(/%(?=[0-9a-f]{2})/gi, '='), 'quoted-printable', charset);
}
