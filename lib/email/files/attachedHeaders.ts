import type { Reading } from '../limits';
import { decodeRawEmail } from '../mime/rawBytes';
import type { HeaderField } from '../mime/headerFields';
import { splitEmail } from '../mime/splitEmail';
import { decodeBody } from '../mime/transferEncoding';
import { isAttachedEmail, type FilePart } from './fileList';

/** Characters of an attached email in which its header is read. Longer headers are rare. */
const MAX_HEADER = 100_000;

// People attach fewer emails to an email of theirs.
const MAX_EMAILS = 10;

/**
 * The headers of the emails that are attached to an email itself, not to one of them.
 *
 * @returns none if there are more than people attach
 */
export async function readAttachedHeaders(
	files: readonly FilePart[],
	{ limits, pace }: Reading,
): Promise<HeaderField[][]> {
	const emails = files.filter((file) => file.inside === undefined && isAttachedEmail(file));
	if (emails.length > MAX_EMAILS) return [];
	const headers: HeaderField[][] = [];
	for (const { part, body } of emails) {
		if (pace.isDue(1 / MAX_EMAILS)) await pace.pause();
		const end = Math.min(part.bodyEnd, part.bodyStart + MAX_HEADER);
		const beginning = decodeBody(body.slice(part.bodyStart, end), part.header.encoding);
		headers.push(splitEmail(decodeRawEmail(beginning), limits).fields);
	}
	return headers;
}
