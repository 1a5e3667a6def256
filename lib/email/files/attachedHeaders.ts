import type { Reading } from '../limits';
import type { HeaderField } from '../mime/headerFields';
import { fieldsOfAttached, isAttachedEmail, type FilePart } from './fileList';

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
	reading: Reading,
): Promise<HeaderField[][]> {
	const emails = files.filter((file) => file.inside === undefined && isAttachedEmail(file));
	if (emails.length > MAX_EMAILS) return [];
	const headers: HeaderField[][] = [];
	for (const email of emails) {
		if (reading.pace.spend(1 / MAX_EMAILS)) await reading.pace.pause();
		headers.push(await fieldsOfAttached(email, MAX_HEADER, reading));
	}
	return headers;
}
