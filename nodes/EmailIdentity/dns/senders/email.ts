import { parseAddresses } from '../../email/addresses';
import { readSignedHeader, type SignedField } from '../../email/asSigned';
import { BEFORE_THE_HEADERS } from '../../email/headerFields';
import { asciiDomain } from '../../lib/hosts';
import type { Pause } from '../../lib/pause';

/** An email as its signers saw it. */
export interface EmailText {
	/** From the top down. */
	fields: SignedField[];
	/** The body in pieces that end with a line, each line with CRLF. */
	body(pause: Pause): AsyncGenerator<Buffer>;
	/** Whether characters of the body were lost before it came here, so that what was signed is no longer known. */
	bodyLostCharacters(): boolean;
}

const PIECE = 32_768;

/** Mail servers let a thousand characters through (RFC 5321, 4.5.3.1.6); a line has to be hashed in one go. */
const MAX_LINE = 1_000_000;

const MS_BETWEEN_PAUSES = 10;

/**
 * Reads the text of an email for the check of its signatures, in time that is linear in its length.
 *
 * It came as JSON, decoded as UTF-8: line ends may have become LF, and bytes that were no UTF-8 are U+FFFD. Line ends become
 * CRLF again (RFC 6376, 5.3). A byte order mark or blank lines before the header are left out, as where the email is read.
 *
 * @returns why it cannot be read
 */
export function readEmailText(
	rawEmail: string | undefined,
): EmailText | 'ambiguousHeader' | 'longHeader' | 'longLine' | 'missing' {
	const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
	if (raw === '') return 'missing';
	const header = readSignedHeader(raw);
	if (typeof header === 'string') return header;
	const { fields, bodyStart } = header;
	if (hasLongLine(raw, bodyStart)) return 'longLine';
	return {
		fields,
		body: (pause) => readBody(raw, bodyStart, pause),
		bodyLostCharacters: () => lostCharacters(raw.slice(bodyStart)),
	};
}

/** Whether a text holds what stands for bytes that were no UTF-8. A text may hold it by itself, so alone it says nothing. */
export function lostCharacters(text: string): boolean {
	return text.includes('\uFFFD') || !text.isWellFormed();
}

function hasLongLine(raw: string, bodyStart: number): boolean {
	let start = bodyStart;
	while (raw.length - start > MAX_LINE) {
		const lineBreak = raw.lastIndexOf('\n', start + MAX_LINE);
		if (lineBreak < start) return true;
		start = lineBreak + 1;
	}
	return false;
}

async function* readBody(raw: string, bodyStart: number, pause: Pause): AsyncGenerator<Buffer> {
	let paused = Date.now();
	let start = bodyStart;
	while (start < raw.length) {
		const lineBreak = raw.indexOf('\n', start + PIECE);
		const end = lineBreak < 0 ? raw.length : lineBreak + 1;
		yield Buffer.from(raw.slice(start, end).replace(/\r?\n/g, '\r\n'), 'utf8');
		start = end;
		if (Date.now() - paused >= MS_BETWEEN_PAUSES) {
			await pause();
			paused = Date.now();
		}
	}
}

/** A name and an address have a few hundred characters. */
const MAX_FROM = 2000;

/** What separates addresses, opens a group or a route, or is in no address that is written plainly. */
const DOUBTFUL = /[,:;[\]\\\p{Cc}\u2028\u2029]/u;

/** Some programs decode what others leave. */
const ENCODED_WORD = '=?';

const PLAIN_ADDRESS = /^[^\s"<>@]+@([^\s"<>@]+)$/;

/**
 * The domain that an email says it is from.
 *
 * A proof of a sender is worth as much as everybody's agreement on who that is. So there has to be one From with one address
 * in plain writing, which our reader of addresses finds, too. A group, a route, a comment within an address or an at sign before it
 * that is not in quotes could be read in two ways, and names nobody.
 *
 * @returns in ASCII; null where it does not name exactly one
 */
export function readSenderDomain(fields: readonly SignedField[]): string | null {
	const [from, another] = fields.filter(({ name }) => name === 'from');
	if (from === undefined || another !== undefined || from.text.length > MAX_FROM) return null;
	const address = readPlainAddress(from.value);
	const read = parseAddresses(from.value);
	if (address === null || read.length !== 1 || read[0]?.address !== address) return null;
	return asciiDomain(PLAIN_ADDRESS.exec(address)?.[1] ?? '');
}

/** The address of `name <address>` or `address`, with comments around it (RFC 5322, 3.4); null where there is any doubt. */
function readPlainAddress(value: string): string | null {
	const written = withoutCommentsAndQuotes(value)?.trim();
	if (written === undefined || DOUBTFUL.test(written.replaceAll('\t', ' '))) return null;
	const angle = written.indexOf('<');
	const name = angle < 0 ? '' : written.slice(0, angle);
	const address = angle < 0 ? written : written.slice(angle + 1, -1);
	const isWhole = angle < 0 || written.endsWith('>');
	if (address.includes(ENCODED_WORD)) return null;
	return isWhole && !name.includes('@') && PLAIN_ADDRESS.test(address) ? address : null;
}

/** A comment becomes a blank, a quoted string one quotation mark; undefined where one of them does not end. */
export function withoutCommentsAndQuotes(value: string): string | undefined {
	let kept = '';
	let depth = 0;
	let isQuoted = false;
	for (let index = 0; index < value.length; index++) {
		const character = value.charAt(index);
		if (character === '\\' && (isQuoted || depth > 0)) {
			index++;
		} else if (isQuoted) {
			isQuoted = character !== '"';
		} else if (character === '(') {
			if (depth++ === 0) kept += ' ';
		} else if (depth > 0) {
			if (character === ')') depth--;
		} else if (character === '"') {
			isQuoted = true;
			// Nothing within it is taken for more than a name.
			kept += '"';
		} else {
			kept += character;
		}
	}
	return isQuoted || depth > 0 ? undefined : kept;
}
