import { randomUUID } from 'crypto';

import type { MimeStructure } from './mimeStructure';
import type { TransferEncoding } from './partHeader';
import { decodeBody, isOrdinaryBase64 } from './transferEncoding';

/** A file's body, still encoded and still in the raw email. */
export interface EncodedBody {
	start: number;
	end: number;
	encoding: TransferEncoding;
}

/** An email whose files' bodies were each replaced by a short mark. */
export interface LightEmail {
	text: string;
	/** By the mark's text as it comes out of decoding. */
	bodies: Map<string, EncodedBody>;
}

/**
 * Takes the files' bodies out of an email before the MIME library reads it: the library turns the line breaks of
 * unencoded files, and would hold up n8n while it decodes large ones. The mark in a body's place shows afterwards which file
 * it was.
 */
export function takeOutFiles(rawEmail: string, { files }: MimeStructure): LightEmail {
	// Unguessable, so that no email can name another file's mark as its own content.
	const secret = randomUUID();
	const bodies = new Map<string, EncodedBody>();
	let text = '';
	let position = 0;
	for (const { header, bodyStart, bodyEnd } of files) {
		const { encoding } = header;
		if (encoding === 'base64' && !isOrdinaryBase64(rawEmail.slice(bodyStart, bodyEnd))) continue;
		const mark = `${secret}.${bodies.size}`;
		text += `${rawEmail.slice(position, bodyStart)}${encodeMark(mark, encoding)}\r\n`;
		bodies.set(mark, { start: bodyStart, end: bodyEnd, encoding });
		position = bodyEnd;
	}
	return { text: text + rawEmail.slice(position), bodies };
}

export function decodeFile(rawEmail: string, { start, end, encoding }: EncodedBody): Buffer {
	return decodeBody(rawEmail.slice(start, end), encoding);
}

function encodeMark(mark: string, encoding: TransferEncoding): string {
	return encoding === 'base64' ? Buffer.from(mark).toString('base64') : mark;
}
