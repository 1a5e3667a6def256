import { randomUUID } from 'crypto';

import type { LeafPart, MimeStructure } from './mimeStructure';
import type { TransferEncoding } from './partHeader';
import { decodeBody, isOrdinaryBase64, withoutJunk } from './transferEncoding';

/** A file's body, still encoded and still in the raw email. */
export interface EncodedBody {
	start: number;
	end: number;
	encoding: TransferEncoding;
}

/** An email that says the same in fewer lines: its files' bodies are replaced by marks, its long texts are packed. */
export interface LightEmail {
	text: string;
	/** The files' bodies, each by its mark as it comes out of decoding. */
	bodies: Map<string, EncodedBody>;
	/** Headers in front of the email's own ones that are not its own. */
	addedHeaders: number;
}

const PACKED = 'Content-Transfer-Encoding: base64\r\n';

const LINE_BREAK = '\r\n';
const END_OF_HEADER = '\r\n\r\n';

// A line costs the MIME library several microseconds, whatever its length.
const LONGEST_UNPACKED_TEXT = 4000;
const MOST_UNPACKED_TEXT = 100_000;

/**
 * Makes an email light for the MIME library. Files do not pass through it: it turns the line breaks of unencoded ones, and
 * would hold up n8n while it decodes large ones. Instead of a body it gets a mark, which shows afterwards
 * which file it was. Long texts become one line of base64, with a header that says so before all others, where it
 * counts. What belongs to no part is left out.
 */
export function lighten(rawEmail: string, { pieces }: MimeStructure): LightEmail {
	// Unguessable, so that no email can name another file's mark as its own content.
	const secret = randomUUID();
	const bodies = new Map<string, EncodedBody>();
	let unpacked = 0;
	let addedHeaders = 0;
	let text = '';

	const mark = (leaf: LeafPart): string => {
		const name = `${secret}.${bodies.size}`;
		const encoding = leaf.header.encoding;
		bodies.set(name, { start: leaf.bodyStart, end: leaf.bodyEnd, encoding });
		return encoding === 'base64' ? Buffer.from(name).toString('base64') : name;
	};

	/** A leaf's body in short, with the headers that it now needs. */
	const shorten = (leaf: LeafPart): { headers: string[]; body: string } => {
		const body = rawEmail.slice(leaf.bodyStart, leaf.bodyEnd);
		const { encoding } = leaf.header;
		if (encoding === 'base64' && !isOrdinaryBase64(body)) {
			return { headers: [], body: `${withoutJunk(body)}${LINE_BREAK}` };
		}
		if (leaf.isFile) {
			return {
				headers: [],
				body: `${leaf.hasBody ? '' : END_OF_HEADER}${mark(leaf)}${LINE_BREAK}`,
			};
		}
		if (body.length > LONGEST_UNPACKED_TEXT || unpacked > MOST_UNPACKED_TEXT) {
			const packed = decodeBody(plainLines(body), encoding).toString('base64');
			return { headers: [PACKED], body: `${packed}${LINE_BREAK}` };
		}
		unpacked += body.length;
		return { headers: [], body };
	};

	for (const [index, piece] of pieces.entries()) {
		const { mendedType } = piece.header ?? {};
		const headers = mendedType === undefined ? [] : [`Content-Type: ${mendedType}${LINE_BREAK}`];
		if ('start' in piece) {
			text += `${headers.join('')}${rawEmail.slice(piece.start, piece.end)}`;
		} else {
			const short = shorten(piece);
			headers.push(...short.headers);
			text += `${headers.join('')}${rawEmail.slice(piece.headerStart, piece.bodyStart)}${short.body}`;
		}
		if (index === 0) addedHeaders = headers.length;
	}
	return { text, bodies, addedHeaders };
}

export function decodeFile(rawEmail: string, { start, end, encoding }: EncodedBody): Buffer {
	return decodeBody(rawEmail.slice(start, end), encoding);
}

/** Carriage returns that some gateways double belong to the line break. */
function plainLines(text: string): string {
	return text.includes('\r\r\n') ? text.replace(/(?<!\r)\r+\n/g, '\n') : text;
}
